import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { type Asked, Terminal } from '../support/outside';

const said = 'The upload test fails once in forty runs.';
const which: Asked = {
  question: 'How should the client handle an early close?', header: 'Early close', multiSelect: false,
  options: [{ label: 'Retry once', description: 'Safe here' }, { label: 'Fail at once', description: 'What it does today' }],
};

/** A session in a terminal, and its pane. */
async function opened(page: Page, beckon: Beckon, dir = beckon.repo.dir) {
  await beckon.openWith(page);
  const terminal = await Terminal.open(beckon, dir, 'fix upload');
  terminal.says(said);
  await beckon.open(page, '#/mission');
  const pane = page.getByRole('region', { name: /^fix upload, started elsewhere/ });
  await expect(pane).toContainText(said);
  return { terminal, pane };
}

test('a session that lives is continued as a copy, which knows what was said', async ({ page, start }) => {
  const beckon = await start('text I know.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
    const sheet = page.getByRole('dialog', { name: /fix upload/ });
    await expect(sheet).toContainText('two programs must not write into it');
    await sheet.getByRole('button', { name: 'Continue a copy' }).click();
    await expect(page).toHaveURL(/#\/task\//);
    await expect(page.getByRole('heading', { name: 'fix upload' })).toBeVisible();
    await expect(page.getByText(said)).toBeVisible();
    await beckon.open(page, '#/mission');
    await expect(pane).toBeVisible();
  } finally {
    terminal.close();
  }
});

test('a session is waited for, not waited for, and goes on here once it is closed there', async ({ page, start }) => {
  const beckon = await start('text I know.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    const wait = async () => {
      await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
      await page.getByRole('button', { name: 'When it is closed there' }).click();
      await expect(pane).toContainText('Continues here once it is closed where it runs');
    };
    await wait();
    await pane.getByRole('button', { name: 'Don’t wait' }).click();
    await expect(pane).toContainText('Read-only here');
    await wait();
  } finally {
    terminal.close();
  }
  await expect(pane).toBeHidden({ timeout: 30_000 });
  const own = page.getByRole('region', { name: /^SAM-1/ });
  await expect(own).toContainText(said);
  await expect(own.getByRole('textbox')).toBeVisible();
});

test('a session that ended today is found, continued, and its command is copied for a terminal', async ({ page, start, context }) => {
  const beckon = await start('text I know.');
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: beckon.base });
  const { terminal, pane } = await opened(page, beckon);
  terminal.close();
  await expect(pane).toHaveAccessibleName(/ended/);
  await page.getByRole('button', { name: 'Ended today' }).click();
  const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'fix upload' });
  await expect(row).toContainText(said);
  await row.getByRole('button', { name: 'Continue in Beckon' }).click();
  await expect(page).toHaveURL(/#\/task\//);
  await expect(page.getByText(said)).toBeVisible();
  await page.getByRole('tab', { name: /Runs/ }).click();
  await page.getByRole('button', { name: 'More for run 2' }).click();
  await page.getByRole('menuitem', { name: 'Open in terminal' }).click();
  await expect(page.getByText('the terminal gets a copy of it')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`cd -- ${beckon.repo.dir} && claude --resume ${terminal.id} --fork-session`);
});

test('where the folder is no project yet, it can be made one', async ({ page, start }) => {
  const beckon = await start('text I know.');
  const dir = join(beckon.home, 'elsewhere');
  mkdirSync(dir);
  const { terminal, pane } = await opened(page, beckon, dir);
  terminal.close();
  await expect(pane).toHaveAccessibleName(/ended/);
  await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
  await expect(page.getByText('Its folder is in no project yet')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toHaveValue(dir);
});

test('what a session elsewhere asked is found later, with where it was answered', async ({ page, start }) => {
  const beckon = await start('text I know.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    terminal.asks('toolu_1', which);
    await expect(pane).toHaveAccessibleName(/needs you/);
    terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
    await expect(pane).toHaveAccessibleName(/running/);
  } finally {
    terminal.close();
  }
  await page.keyboard.press('ControlOrMeta+Shift+f');
  const search = page.getByRole('dialog', { name: 'Search all sessions' });
  await search.getByRole('combobox', { name: 'Search all sessions' }).fill('client early');
  const found = search.getByRole('region', { name: 'Asked in sessions elsewhere' });
  await expect(found).toContainText('How should the client handle an early close?');
  await expect(found).toContainText('Retry once · answered in the terminal');
});
