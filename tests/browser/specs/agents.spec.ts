import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { root } from '../support/places';
import { hittable } from '../support/targets';

// The scripted agent is Kimi Code here: it does what its prompts say, a line each.
test.use({
  env: async ({}, use) => {
    const bin = mkdtempSync(join(tmpdir(), 'beckon-agents-'));
    execFileSync('go', ['build', '-o', join(bin, 'acpagent'), './tests/acpagent/cmd'], {
      cwd: root,
      stdio: 'inherit',
      timeout: patience(120_000),
    });
    const script = `#!/bin/sh\nACP_AGENT_HOME='${bin}' exec '${bin}/acpagent'\n`;
    writeFileSync(join(bin, 'kimi'), script, { mode: 0o755 });
    await use({ PATH: `${bin}:${process.env.PATH}` });
    rmSync(bin, { recursive: true, force: true });
  },
});

test('another agent goes on with what Claude began, and is named where it asks', async ({
  page,
  start,
}) => {
  const beckon = await start('write made.txt hello\ntext Half of it is done.\n');
  const [task] = await beckon.openWith(page, {
    title: 'Paint',
    status: 'running',
  });
  await beckon.open(page, `#/task/${task!.key}`);
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log).toContainText('Half of it is done.', {
    timeout: patience(20_000),
  });
  await expect(page.getByLabel('Message to Claude')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume' }), 'it is at rest').toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Tasks and commands' }).fill('Continue with');
  await page.getByRole('option', { name: /^Continue with…/ }).click();
  const sheet = page.getByRole('dialog', {
    name: `Continue ${task!.key} with another agent`,
  });
  await sheet.getByRole('textbox').fill('choose Which tone?\nsay The rest is done.');
  await sheet.getByRole('button', { name: 'Continue with Kimi Code' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText('Kimi Code asks').first()).toBeVisible({
    timeout: patience(20_000),
  });
  await expect(log).toContainText('Claude worked on this task until now');

  await page.getByRole('radio', { name: /Red/ }).first().click();
  await page
    .getByRole('button', { name: /^Send answer/ })
    .first()
    .click();
  await expect(log).toContainText('The rest is done.', {
    timeout: patience(20_000),
  });
  await expect(page.getByLabel('Message to Kimi Code')).toBeVisible();
});

test(
  'an agent is tried, chosen for new tasks, and one of one’s own is added',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Claude’s', status: 'backlog' });
    await beckon.open(page, '#/settings/agents');
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const soon = { timeout: patience(20_000) };
    for (const name of ['Kimi Code', 'Claude Code']) {
      await row(name)
        .getByRole('button', { name: `Try it: ${name}` })
        .click();
      await expect(row(name)).toContainText('Works', soon);
      await expect(row(name)).toContainText('Stopped, and left nothing running');
    }
    await expect(row('Gemini CLI')).toContainText('Not found');
    await judge(page, 'agents');
    await hittable(page, 'agents');

    await page.getByRole('button', { name: 'Add an agent over ACP…' }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Add an agent over ACP' });
    await sheet.getByLabel('Name').fill('Mine');
    await sheet.getByLabel('Command').fill('kimi "');
    await page.keyboard.press('Enter');
    await expect(sheet.getByRole('alert')).toContainText('This is no command line');
    await judge(page, 'an agent of one’s own');
    await sheet.getByLabel('Command').fill('kimi acp');
    await page.keyboard.press('Enter');
    await expect(sheet).toBeHidden();
    await expect(row('Mine')).toContainText('yours');
    await choose(page.getByRole('combobox', { name: 'Agent', exact: true }), 'Mine');
    await expect(row('Mine')).toContainText('default');

    await beckon.open(page, '#/');
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: /New task/ });
    await form.getByLabel('Title').fill('Paint');
    await expect(form.getByLabel('Agent')).not.toHaveAttribute('value', /./);
    await expect(form.locator('.pill').filter({ hasText: 'Agent' })).toContainText('Mine');
    await choose(form.getByLabel('Agent'), 'Kimi Code');
    await page.keyboard.press('Control+s');
    await expect(form).toBeHidden();
    await expect(page.getByRole('article', { name: /^SAM-2/ })).toContainText('Ki');

    await page.keyboard.press('Shift+F');
    const display = page.getByRole('dialog', { name: 'Display' });
    await choose(display.getByLabel('Group by'), 'Agent');
    await page.keyboard.press('Escape');
    await expect(page.locator('.lane-sub')).toHaveText([/^Claude Code\s*1$/, /^Kimi Code\s*1$/]);
    await page.keyboard.press('f');
    await page.keyboard.type('agent:kimi');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article', { name: /^SAM-1/ })).toBeHidden();
    await expect(page.getByRole('article', { name: /^SAM-2/ })).toBeVisible();
  },
);

test.describe('without Claude Code', () => {
  test.use({ args: ['-claude', 'none'] });
  test('a machine that has another agent begins with it', async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.open(page);
    await expect(page.getByText('found; new tasks begin with it')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a project' })).toBeEnabled();
    await judge(page, 'a first page without Claude Code');
    const projectId = await beckon.addProject(page);
    await beckon.addTask(page, projectId, {
      title: 'Paint',
      status: 'queued',
      brief: 'say Painted.',
    });
    await beckon.open(page, '#/');
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
  });
});
