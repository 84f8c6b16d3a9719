import { expect } from '../support/fixture';
import { said, test, which } from '../support/outside';
import { patience } from '../support/patience';

test(
  'a session that lives is continued as a copy, which knows what was said',
  { tag: '@smoke' },
  async ({ page, upload }) => {
    const { beckon, pane } = await upload('text I know.');
    await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
    const sheet = page.getByRole('dialog', { name: /fix upload/ });
    await expect(sheet).toContainText('two programs must not write into it');
    await sheet.getByRole('button', { name: 'Continue a copy' }).click();
    await expect(page).toHaveURL(/#\/task\//);
    await expect(page.getByRole('heading', { name: 'fix upload' })).toBeVisible();
    await expect(page.getByText(said)).toBeVisible();
    await beckon.open(page, '#/mission');
    await expect(pane).toBeVisible();
  },
);

test('a session is waited for, not waited for, and goes on here once it is closed there', async ({
  page,
  upload,
}) => {
  const { terminal, pane } = await upload('text I know.');
  const wait = async () => {
    await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
    await page.getByRole('button', { name: 'When it is closed there' }).click();
    await expect(pane).toContainText('Continues here once it is closed where it runs');
  };
  await wait();
  await pane.getByRole('button', { name: 'Don’t wait' }).click();
  await expect(pane).toContainText('Read-only here');
  await wait();
  terminal.close();
  await expect(pane).toBeHidden({ timeout: patience(30_000) });
  const own = page.getByRole('region', { name: /^SAM-1/ });
  await expect(own).toContainText(said);
  await expect(own.getByRole('textbox')).toBeVisible();
});

test('a session that ended today is found, continued, and its command is copied for a terminal', async ({
  page,
  context,
  upload,
}) => {
  const { beckon, terminal, pane } = await upload('text I know.');
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: beckon.base });
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
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`cd -- ${beckon.repo.dir} && claude --resume ${terminal.id} --fork-session`);
});

test('where the folder is no project yet, it can be made one', async ({ page, upload }) => {
  const { terminal, pane } = await upload('text I know.', 'elsewhere');
  terminal.close();
  await expect(pane).toHaveAccessibleName(/ended/);
  await pane.getByRole('button', { name: 'Continue in Beckon' }).click();
  await expect(page.getByText('Its folder is in no project yet')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('combobox').first()).toHaveValue(terminal.dir);
});

test('what a session elsewhere asked is found later, with where it was answered', async ({
  page,
  upload,
}) => {
  const { terminal, pane } = await upload('text I know.');
  terminal.asks('toolu_1', which);
  await expect(pane).toHaveAccessibleName(/needs you/);
  terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
  await expect(pane).toHaveAccessibleName(/running/);
  terminal.close();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  const search = page.getByRole('dialog', { name: 'Search all sessions' });
  await search.getByRole('combobox', { name: 'Search all sessions' }).fill('client early');
  const found = search.getByRole('region', { name: 'Asked in sessions elsewhere' });
  await expect(found).toContainText('How should the client handle an early close?');
  await expect(found).toContainText('Retry once · answered in the terminal');
});
