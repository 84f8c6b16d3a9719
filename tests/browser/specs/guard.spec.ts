// A key that is pressed at once is meant for the question that one went to, and for no other.
import { expect, test } from '../support/fixture';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const agents = [
  `match: Ask\nask_user {"question":"Left or right?","options":[{"label":"Left"},{"label":"Right"}]}\ntext Went \${answer}.\nsleep 120s`,
  `match: Remove\npermit Bash {"command":"rm -rf build"}\ntext Removed.\nsleep 120s`,
];

test(
  'J and then a digit at once answers the card that one went to, and a double press answers one question',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    const tasks = await beckon.openWith(
      page,
      ...['Ask one', 'Ask two', 'Ask three'].map((title) => ({ title, policy: 'wait' as const })),
    );
    for (const key of ['SAM-1', 'SAM-2', 'SAM-3'])
      await expect(
        page.getByRole('article', { name: new RegExp(`^${key}, needs you`) }),
      ).toBeVisible({ timeout: patience(20_000) });
    await page.keyboard.press('Escape'); // the field that is open on an empty board
    await page.keyboard.press('j');
    await page.keyboard.press('1');
    const answered = async () =>
      (await Promise.all(tasks.map((task) => beckon.questions(page, task)))).map(
        ([q]) => q!.settlement,
      );
    await expect
      .poll(async () => (await answered()).filter((one) => one === 'answered').length, {
        timeout: patience(15_000),
      })
      .toBe(1);

    // In the Inbox the next one takes the place of the one that was answered, on its own.
    await beckon.open(page, '#/inbox');
    await expect(page.locator('.ask .opt').first()).toBeVisible();
    await page.waitForTimeout(600);
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await page.waitForTimeout(600);
    await expect
      .poll(async () => (await answered()).filter((one) => one === 'answered').length, {
        timeout: patience(15_000),
      })
      .toBe(2);
    expect((await answered()).filter((one) => one === 'open')).toHaveLength(1);
  },
);

test(
  'the first press on what can destroy work is forgotten, here and in every other window',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    const [task] = await beckon.openWith(page, { title: 'Remove it', policy: 'wait' });
    await beckon.open(page, '#/inbox');
    const other = await newWindow(page);
    await other.goto(`${beckon.base}/#/inbox`);
    await expect(other.getByText('rm -rf build').first()).toBeVisible({
      timeout: patience(20_000),
    });
    await expect(page.getByText('rm -rf build').first()).toBeVisible({ timeout: patience(20_000) });
    await page.waitForTimeout(600);
    await page.keyboard.press('1');
    await expect(page.getByRole('button', { name: 'Press again to allow' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Press again to allow' })).toBeHidden({
      timeout: 5000,
    });
    for (const one of [page, other])
      await expect(one.getByRole('radio', { checked: true })).toHaveCount(0);
    await other.reload();
    await expect(other.getByText('rm -rf build').first()).toBeVisible();
    await expect(other.getByRole('radio', { checked: true })).toHaveCount(0);
    await page.keyboard.press('Enter');
    expect((await beckon.questions(page, task!))[0]!.settlement).toBe('open');
  },
);
