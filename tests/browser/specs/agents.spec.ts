import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';
import { root } from '../support/places';

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

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Continue with');
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
