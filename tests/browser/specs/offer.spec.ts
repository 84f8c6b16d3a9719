// What a folder holds that makes worktrees ready is offered where it becomes a project, and taken
// over by nobody but the person.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

function write(beckon: Beckon, name: string, text: string): void {
  mkdirSync(dirname(join(beckon.repo.dir, name)), { recursive: true });
  writeFileSync(join(beckon.repo.dir, name), text);
}

/** Opens the sheet that adds the sample repository. */
async function adding(page: Page, beckon: Beckon) {
  await page.getByRole('button', { name: 'Add a project' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add a project' });
  await sheet.getByRole('combobox', { name: 'Folder' }).fill(beckon.repo.dir);
  await expect(sheet).toContainText('Git repository');
  return sheet;
}

const scripts = { setup: './bin/setup', run: 'npm run dev -- --port $CONDUCTOR_PORT' };

test(
  'a project that other tools prepared starts with what they need, once it is chosen',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('run cat .env ready > all\ntext Done.');
    write(beckon, '.gitignore', '.env*\nready\n');
    write(beckon, 'conductor.json', JSON.stringify({ scripts }));
    write(beckon, '.devcontainer.json', '// of a template\n{"postCreateCommand": "false"}\n');
    write(beckon, 'bin/setup', '#!/bin/sh\necho "$CONDUCTOR_PORT $CONDUCTOR_ROOT_PATH" > ready\n');
    beckon.repo.git('add', '-A');
    beckon.repo.git('update-index', '--chmod=+x', 'bin/setup');
    beckon.repo.git('commit', '-qm', 'setup');
    write(beckon, '.env', 'KEY=1\n');
    await beckon.open(page);
    const sheet = await adding(page, beckon);
    await expect(sheet.getByLabel('Copy .env files into each new worktree')).toBeChecked();
    await expect(sheet.getByRole('radio', { name: 'None' })).toBeChecked();
    await judge(page, 'what a folder offers its worktrees');
    await sheet.getByRole('radio', { name: 'From Conductor conductor.json' }).check();
    await sheet.getByLabel('Trust this project').check();
    await sheet.getByRole('button', { name: 'Add project' }).click();
    await expect(sheet).toBeHidden();

    const [project] = (
      await beckon.call<{ events: { project?: { id: string } }[] }>(page, 'Attach', 'browsertests')
    ).events.flatMap((event) => event.project ?? []);
    const task = await beckon.addTask(page, project!.id, { title: 'Count' });
    const now = async () => (await beckon.tasks(page)).find(({ id }) => id === task.id)!;
    await expect
      .poll(async () => (await now()).status, { timeout: patience(30_000) })
      .toBe('review');
    const { worktree } = (await now()) as unknown as { worktree: string };
    expect(readFileSync(join(worktree, 'all'), 'utf8')).toMatch(/^KEY=1\n[23][0-9]{3}0 .*\n$/);
  },
);

test('a command of another tool is taken over in the settings, and a list of files is shown there', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  write(beckon, 'conductor.json', JSON.stringify({ scripts }));
  write(beckon, '.worktreeinclude', '# for all tools\n.env\n/config/*.key\n');
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/SAM');
  await expect(page.getByText('.worktreeinclude in the folder applies')).toContainText(
    '/config/*.key',
  );
  const setup = page.getByRole('textbox', { name: 'Setup command' });
  await expect(setup).toHaveValue('');
  await page.getByRole('button', { name: 'Use as setup command' }).scrollIntoViewIfNeeded();
  await judge(page, 'what a folder offers a project');
  await saved(page, () => page.getByRole('button', { name: 'Use as setup command' }).click());
  await expect(setup).toHaveValue(/^export CONDUCTOR_.*\n\.\/bin\/setup$/);
  await expect(page.getByRole('button', { name: 'Use as setup command' })).toHaveCount(0);
});
