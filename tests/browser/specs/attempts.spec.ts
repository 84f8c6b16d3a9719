// A question gets two answers: two attempts on one card, compared, and one of them kept, by keys.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const second = `-- script --
match: tries two answers

write tone.txt blue
write both.txt same
text Painted blue.`;
const first = `write early.txt early
ask Which tone? | Red | Blue | Green
write tone.txt red
write both.txt same
text Painted red.`;

test('a question gets two answers, and one attempt is kept, by keys', async ({ page, start }) => {
  const beckon = await start(second, first);
  const [task] = await beckon.openWith(page, { title: 'Paint the shed', status: 'backlog' });
  await beckon.call(page, 'MoveTask', task!.id, 'queued', 0);
  await expect
    .poll(async () => (await beckon.questions(page, task!)).length, { timeout: patience(20_000) })
    .toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  const card = page.getByRole('group', { name: 'Which tone?' }).first();
  await expect(card.getByRole('button', { name: 'Try two' })).toBeVisible();
  await page.keyboard.press('b');
  const both = page.getByRole('button', { name: 'Try both' });
  await expect(both).toBeDisabled();
  await page.keyboard.press('1');
  await expect(both).toBeDisabled();
  await page.keyboard.press('3');
  await page.keyboard.press('2'); // in the place of the third
  await expect(page.getByRole('checkbox', { name: /Red/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /Blue/ })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /Green/ })).not.toBeChecked();
  await judge(page, 'two answers of a question');
  await page.keyboard.press('b'); // one answer again
  await expect(page.getByRole('radio', { name: /Red/ })).not.toBeChecked();
  await page.keyboard.press('b');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await expect(both).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('SAM-1 goes on with “Red”, and SAM-2 tries “Blue”')).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('b');
  const one = page.locator('[data-task]', { hasText: '2 attempts' });
  await expect(one).toHaveCount(1);
  await expect(one.getByText('Both are ready')).toBeVisible({ timeout: patience(20_000) });
  await expect(page.locator('article[data-task]')).toHaveCount(1);
  await judge(page, 'the card of two attempts');
  await one.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Which tone?' });
  await expect(sheet.getByText('1 file differs between the two')).toBeVisible();
  await expect(sheet.getByText('same in both')).toHaveCount(2);
  await expect(sheet.getByRole('heading', { name: 'Red' })).toBeVisible();
  await expect(sheet.getByRole('heading', { name: 'Blue' })).toBeVisible();
  const diff = sheet.getByRole('region', { name: 'What is compared' });
  await expect(diff).toContainText('red');
  await expect(diff).toContainText('blue');
  await expect(sheet.getByText('Painted blue.')).toBeVisible();
  await judge(page, 'two attempts compared');
  await sheet.getByRole('radio', { name: 'A with main' }).click();
  await expect(diff).not.toContainText('blue');
  await page.keyboard.press('3');
  await expect(sheet.getByRole('textbox')).toBeFocused();
  await judge(page, 'a mix of two attempts');
  await sheet.getByRole('heading', { name: 'Red' }).click();
  await page.keyboard.press('2');
  await expect(sheet).toBeHidden();
  await expect(page.getByText('SAM-2 is kept. SAM-1 is in the archive')).toBeVisible();
  await expect(one).toHaveCount(0);
  await expect(page.locator('article[data-task]')).toHaveCount(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(one).toHaveCount(1);
});
