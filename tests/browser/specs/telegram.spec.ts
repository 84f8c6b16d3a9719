// A bot is set up, a chat is paired, and a question is answered from it.
import { newcomer } from '../support/beckon';
import { expect } from '../support/fixture';
import { test, token } from '../support/telegram';

test(
  'a chat is paired by its code, answers, and can do no more than it may',
  { tag: '@smoke' },
  async ({ page, start, telegram }) => {
    const beckon = await start('match: Ask\nask Which part? | Parser | Planner\ntext Done.');
    const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
    await beckon.open(page, '#/settings/remote');
    await page.getByRole('switch', { name: 'Answer in Telegram' }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Your own bot' });
    await sheet.getByLabel('Token').fill('123456789:AAwrong');
    await page.keyboard.press('Enter');
    await expect(sheet.getByRole('alert')).toBeVisible();
    await sheet.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await expect(sheet).toBeHidden();
    await expect(page.getByRole('main')).toContainText('beckon_mira_bot');
    await expect(page.getByRole('main'), 'the token is shown nowhere').not.toContainText(
      token.slice(10),
    );

    await page.getByRole('button', { name: 'Show a code' }).press('Enter');
    await expect(
      page.getByRole('img', { name: 'The code, as a picture for a camera' }),
    ).toBeVisible();
    const code = (await page.locator('.code code').innerText()).replace('-', '');
    telegram.type(`/start ${code}`);
    const paired = page.getByRole('button', { name: /^Remove .*mira/i });
    await expect(paired).toBeVisible();
    await expect.poll(() => telegram.texts.some((text) => text.includes('Which part?'))).toBe(true);

    telegram.press('Planner');
    await expect
      .poll(() => telegram.texts.some((text) => text.includes('Planner') && text.includes('mira')))
      .toBe(true);
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('navigation', { name: 'Questions' })).toContainText(
      /over Telegram, .*mira/i,
    );

    await beckon.open(page, `#/task/${task!.key}`);
    await page.getByRole('tab', { name: /^Questions/ }).press('Enter');
    const row = page.getByRole('row', { name: /Which part\?.*Planner.*Telegram, .*mira/ });
    await expect(row).toBeVisible();
    await row.getByRole('button', { name: 'Which part?' }).press('Enter');
    await expect(
      page.getByRole('listitem').filter({ hasText: /Pressed in Telegram, .*mira/ }),
    ).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Claude has it' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Find a question' }).fill('postgres');
    await expect(
      page.getByRole('status').filter({ hasText: 'No question has these words.' }),
    ).toBeVisible();
    await page.getByRole('textbox', { name: 'Find a question' }).fill('mira');
    await page.getByRole('button', { name: 'Show in the session' }).click();
    await expect(page.getByRole('log')).toContainText('Which part?');

    await beckon.open(page, '#/settings/privacy');
    await page.getByRole('button', { name: /^What .*mira gets: Everything/ }).press('Enter');
    const gets = page.getByRole('dialog', { name: /^What .*mira gets/ });
    await gets.getByRole('checkbox', { name: 'Permissions' }).uncheck();
    await gets.getByRole('button', { name: 'Done' }).press('Enter');
    await expect(
      page.getByRole('button', { name: /^What .*mira gets: Questions, Plans, Forms/ }),
    ).toBeVisible();
    const commands = page.getByRole('checkbox', { name: /mira: Commands/i });
    await expect(commands).not.toBeChecked();
    await commands.press('Enter');
    await expect(commands).toBeChecked();
    await page.getByRole('button', { name: /^Remove .*mira/i }).press('Enter');
    await expect(commands).toBeHidden();
    telegram.type('/waiting');
    await page.waitForTimeout(newcomer);
    expect(
      telegram.texts.filter((text) => text.includes('Which part?')).length,
      'who was removed sees nothing new',
    ).toBeLessThanOrEqual(1);
    await beckon.open(page, '#/');
    await beckon.open(page, '#/settings/privacy');
    await expect(page.getByRole('row').filter({ hasText: 'beckon_mira_bot' })).toContainText(
      /1 attempt refused, at \d\d:\d\d/,
    );
  },
);
