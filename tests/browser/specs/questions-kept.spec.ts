import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const one = 'ask Which one? | Left | Right\ntext You said: ${answer}\n';
const resumed = 'resume: yes\ntext I was told: ${message}';

test(
  'what was typed is there after Beckon was killed, with the question, and the answer resumes the run',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(one, resumed);
    const [task] = await beckon.openWith(page, { title: 'Choose', policy: 'wait' });
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
    await page.keyboard.press('o');
    await page.keyboard.type('Neither, because');
    await page.waitForTimeout(1500); // for which typing must rest
    await page.evaluate(() => sessionStorage.clear());
    await beckon.kill();
    await beckon.serve();
    await beckon.open(page, '#/inbox');
    const card = page.getByRole('group', { name: /Which one/ });
    await expect(card).toContainText('The run stopped. Answering resumes it');
    await expect(card.getByRole('textbox', { name: 'Your own words' })).toHaveValue(
      'Neither, because',
    );
    await page.waitForTimeout(newcomer);
    await card.getByRole('button', { name: /Send answer/ }).click();
    await beckon.open(page, `#/task/${task!.key}`);
    await expect(page.getByRole('log', { name: 'Session' })).toContainText(
      /I was told:[^]*Neither, because/,
      { timeout: patience(20_000) },
    );
  },
);

test('of two windows one answers, and the other learns of it with its text kept', async ({
  page,
  start,
}) => {
  const beckon = await start(one);
  const [task] = await beckon.openWith(page, { title: 'Choose', policy: 'wait' });
  await beckon.open(page, '#/inbox');
  const other = await newWindow(page);
  await beckon.open(other, '#/inbox');
  await expect(other.getByRole('group', { name: /Which one/ })).toBeVisible();
  await other.keyboard.press('o');
  await other.keyboard.type('Something else');
  const card = page.getByRole('group', { name: /Which one/ });
  await card.getByRole('radio', { name: 'Left' }).click();
  await card.getByRole('button', { name: /Send answer/ }).click({ delay: newcomer });
  await expect(other.getByText('Answered elsewhere')).toBeVisible();
  await expect(other.getByText('What you wrote is kept')).toBeVisible();
  await expect(other.getByText('Something else')).toBeVisible();
  expect((await beckon.questions(page, task!))[0]!.answer!.items[0]!.labels).toEqual(['Left']);
});

test('what one window types the next one opened has', async ({ page, start }) => {
  const beckon = await start('ask Which one? | Left | Right\n');
  await beckon.openWith(page, { title: 'Choose', policy: 'wait' });
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.keyboard.press('o');
  await page.keyboard.type('Half a thought');
  await page.waitForTimeout(1500); // for which typing must rest
  const other = await newWindow(page);
  await beckon.open(other, '#/inbox');
  await expect(other.getByRole('textbox', { name: 'Your own words' })).toHaveValue(
    'Half a thought',
  );
});
