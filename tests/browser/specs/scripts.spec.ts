// A worktree is made ready by the project's own commands, and what they say is there
// where it is decided by.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

const agent = ['run cat .env', 'write src/one.txt one', 'text Done.'].join('\n');

/** Fills a field of the project's settings and waits until that is kept. */
async function set(page: Page, name: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name });
  await saved(page, async () => {
    await field.fill(text);
    await field.blur();
  });
}

function answers(url: string): Promise<number> {
  return new Promise((resolve) =>
    get(url, (response) => resolve(response.statusCode ?? 0)).on('error', () => resolve(0)),
  );
}

test(
  'no agent starts before its worktree is ready, and what stands in the way is there to be read',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(agent);
    await beckon.openWith(page);
    writeFileSync(join(beckon.repo.dir, '.gitignore'), '.env\n');
    beckon.repo.git('add', '-A');
    beckon.repo.git('commit', '-qm', 'ignore .env');
    writeFileSync(join(beckon.repo.dir, '.env'), 'KEY=1\n');

    await beckon.open(page, '#/settings/SAM');
    await set(page, 'Copy ignored files', '../secret');
    await expect(
      page.getByText('“../secret” is no name or path below the project’s folder.'),
    ).toBeVisible();
    await set(page, 'Copy ignored files', '.env');
    await set(page, 'Setup command', 'echo "for $BECKON_TASK"\ntest -e ../fixed');
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Copy ignored files' })).toHaveValue('.env');
    await expect(page.getByRole('textbox', { name: 'Setup command' })).toHaveValue(
      'echo "for $BECKON_TASK"\ntest -e ../fixed',
    );

    const [project] = (await beckon.tasks(page)).map((task) => task.projectId);
    expect(project).toBeUndefined();
    const projects = await beckon.call<{ events: { project?: { id: string } }[] }>(
      page,
      'Attach',
      'browsertests',
    );
    const task = await beckon.addTask(
      page,
      projects.events.flatMap((event) => event.project?.id ?? [])[0]!,
      { title: 'Count' },
    );
    await beckon.open(page, '#/task/SAM-1');
    const stop = page.getByRole('alert', { name: /./ }).filter({ hasText: 'What happened' });
    await expect(stop).toContainText('The setup command of SAM-1 did not succeed');
    await stop.getByRole('link', { name: 'Show output' }).click();
    const output = page.getByRole('region', { name: 'Output of Setup' });
    await expect(output).toContainText('for SAM-1');
    await expect(page.getByText('failed, exit code 1')).toBeVisible();
    await judge(page, 'what a command printed');

    await page.getByRole('tab', { name: 'Session' }).click();
    await stop.getByRole('button', { name: 'Start without setup' }).click();
    await expect
      .poll(async () => (await beckon.tasks(page))[0]!.status, { timeout: patience(20_000) })
      .toBe('review');
    const worktree = beckon.repo
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('worktree '))[1]!
      .slice(9);
    expect(readFileSync(join(worktree, '.env'), 'utf8')).toBe('KEY=1\n');
    expect(
      beckon.repo.git(
        'show',
        '--stat',
        '--format=',
        task.branch ||
          'refs/heads/' +
            beckon.repo
              .git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/beckon/')
              .trim(),
      ),
    ).not.toContain('.env');
  },
);

test('a check that failed shows on the card and asks before the merge; one that passes does not', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Count' });
  const card = page.getByRole('article', { name: /^SAM-1, Review/ });
  await expect(card).toBeVisible({ timeout: patience(20_000) });
  await beckon.open(page, '#/settings/SAM');
  await set(page, 'Check command', 'printf "\\033[31mone is wrong\\033[0m\\n"; test -e ../fixed');

  await beckon.open(page, '#/task/SAM-1/commands');
  await page.getByRole('button', { name: 'Run Check' }).click();
  await expect(page.getByText('failed, exit code 1')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Output of Check' })).toContainText('one is wrong');
  await beckon.open(page);
  await expect(card).toContainText('Check failed');

  await beckon.open(page, '#/task/SAM-1/changes');
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  await page.keyboard.press('m');
  const asks = page.getByRole('dialog', { name: 'Merge SAM-1 although its check failed?' });
  await expect(asks).toContainText('failed, exit code 1');
  await expect(asks.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(asks).toBeHidden();
  expect(beckon.repo.git('log', '--format=%s', 'main')).not.toContain('SAM-1');

  await page.keyboard.press('m');
  await asks.getByRole('button', { name: 'Merge anyway' }).click();
  await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();

  // Edited by hand, the files are not those that it failed on.
  const changed = page.getByText('The files have changed since.');
  await page.getByRole('tab', { name: 'Commands' }).click();
  await expect(page.getByText('failed, exit code 1')).toBeVisible();
  await expect(changed).toBeHidden();
  const [worked] = await beckon.tasks(page);
  writeFileSync(join(worked!.worktree, 'src/one.txt'), 'two');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(changed).toBeVisible();
  await beckon.open(page);
  await expect(card).not.toContainText('Check failed');
  execFileSync('git', ['commit', '-qam', 'by hand'], { cwd: worked!.worktree });

  writeFileSync(join(beckon.data, 'worktrees', 'fixed'), '');
  await beckon.open(page, '#/task/SAM-1');
  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: 'Run Check' }).click();
  await expect(page.locator('.commands').getByText('passed').first()).toBeVisible();
  await expect(changed).toBeHidden();
  await beckon.open(page);
  await expect(card).toContainText('Check passed');
  await beckon.open(page, '#/task/SAM-1/changes');
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  await page.keyboard.press('m');
  await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
});

test('the work is served until it is stopped, at an address that opens, and a second window follows', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Count' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/settings/SAM');
  await set(
    page,
    'Dev command',
    `#!${process.execPath}\nrequire('http').createServer((q, a) => a.end('hello')).listen(process.env.BECKON_PORT, '127.0.0.1', () => console.log('  Local: http://localhost:' + process.env.BECKON_PORT + '/app\\nready'));`,
  );
  await beckon.open(page, '#/task/SAM-1');
  const other = await newWindow(page);
  await other.goto(`${beckon.base}/#/task/SAM-1/commands`);

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('Run Dev server');
  await page.keyboard.press('Enter');
  const open = page.getByRole('tabpanel').getByRole('link', { name: /^Open localhost:\d+\/app$/ });
  await expect(open).toBeVisible();
  // What it shows is one key away, wherever one is on the task's page.
  await page.evaluate(() => {
    window.open = (url) => ((document.title = String(url)), null);
  });
  await page.keyboard.press('Shift+O');
  await expect.poll(() => page.title()).toBe(await open.getAttribute('href'));
  const url = (await open.getAttribute('href'))!;
  expect(await answers(url.replace('localhost', '127.0.0.1'))).toBe(200);
  await expect(
    other.getByRole('link', { name: /^Open localhost:\d+\/app$/ }).first(),
  ).toBeVisible();
  await expect(other.getByRole('region', { name: 'Output of Dev server' })).toContainText('ready');

  await other.getByRole('button', { name: 'Stop Dev server' }).click();
  await expect(page.getByText('stopped', { exact: false })).toBeVisible();
  await expect(open).toBeHidden();
  await expect.poll(() => answers(url.replace('localhost', '127.0.0.1'))).toBe(0);

  await page.getByRole('button', { name: 'Run Dev server' }).click();
  await expect(open).toBeVisible();
  const again = (await open.getAttribute('href'))!.replace('localhost', '127.0.0.1');
  await page.getByRole('tab', { name: 'Session' }).focus();
  await beckon.call(page, 'MoveTask', (await beckon.tasks(page))[0]!.id, 'archived', 0);
  await expect.poll(() => answers(again)).toBe(0);
  expect(existsSync(join(beckon.data, 'worktrees'))).toBe(true);
});
