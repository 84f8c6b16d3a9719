import type { Locator, Page } from '@playwright/test';
import { type Beckon, newcomer, type Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const one = 'ask Which one? | Left | Right\ntext You said: ${answer}\n';
const minute = 60_000;

/** Starts a task whose question has a clock, and shows it in the Inbox. */
async function asked(
  page: Page,
  beckon: Beckon,
  waitMs = 3 * minute,
): Promise<{ task: Task; card: Locator }> {
  const [task] = await beckon.openWith(page, { title: 'Draw', policy: 'proceed', waitMs });
  await beckon.open(page, '#/inbox');
  const card = page.getByRole('group', { name: /Which one/ });
  await expect(card).toBeVisible();
  return { task: task!, card };
}

test(
  'H holds the clock, which then stands still, and lets it go on',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const { card } = await asked(page, await start(one));
    await page.keyboard.press('h');
    await expect(card.getByRole('timer')).toContainText(/Held at \d:\d\d/);
    const held = await card.getByRole('timer').innerText();
    await page.waitForTimeout(2500);
    expect(await card.getByRole('timer').innerText()).toBe(held);
    await card.getByRole('button', { name: /Resume/ }).click();
    await expect(card.getByRole('timer')).toContainText(/carries on in \d:\d\d/);
  },
);

test('who writes an answer holds the clock with the first letter, and sees that', async ({
  page,
  start,
}) => {
  const { card } = await asked(page, await start(one));
  await page.keyboard.press('o');
  await page.keyboard.type('Nei');
  await expect(card.getByRole('timer')).toContainText(/Held at/);
  await expect(card).toContainText('The clock is held while you write');
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await expect(card.getByRole('timer')).toContainText(/carries on in/);
  await page.keyboard.press('o');
  await page.keyboard.type('ther');
  await page.waitForTimeout(500);
  await expect(card.getByRole('timer'), 'who let it go on meant it').toContainText(/carries on in/);
});

test('all clocks are held from the Inbox, those of new questions too', async ({ page, start }) => {
  const beckon = await start(one);
  const { card, task } = await asked(page, beckon);
  await page.getByRole('button', { name: 'Hold all clocks' }).click();
  await expect(card.getByRole('timer')).toContainText(/Held at/);
  await expect(
    page.getByRole('status').filter({ hasText: 'All clocks are on hold' }),
  ).toBeVisible();
  const { projectId } = task as Task & { projectId: string };
  const later = await beckon.addTask(page, projectId, {
    title: 'Draw another',
    policy: 'proceed',
    waitMs: 3 * minute,
  });
  await expect(page.getByRole('link', { name: new RegExp(`${later.key}.*held`) })).toBeVisible();
  await page.getByRole('button', { name: 'Resume clocks' }).click();
  await expect(card.getByRole('timer')).toContainText(/carries on in/);
});

test('what ran out says what was assumed, and can be answered still, while the agent lives', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'ask Rename it? | Rename | Keep\nmcp record_assumption {"question":"Rename it?","assumption":"kept Span"}\nrun sleep 60',
  );
  const [task] = await beckon.openWith(page, { title: 'Draw', policy: 'proceed', waitMs: 10_000 });
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('group', { name: /Rename it/ })).toBeVisible();
  const row = page.getByRole('link', { name: /Rename it.*No answer.*kept Span/s });
  await expect(row).toBeVisible({ timeout: patience(25_000) });
  await row.click();
  await expect(page.getByText('No answer in 0:10. Claude continued')).toBeVisible();
  await page.getByRole('button', { name: 'Say something now' }).click();
  const card = page.getByRole('group', { name: /Rename it/ });
  await card.getByRole('radio', { name: 'Rename' }).click();
  await card.getByRole('button', { name: /Send answer/ }).click({ delay: newcomer });
  await expect
    .poll(async () => (await beckon.questions(page, task!))[0]!.answer?.items[0]?.labels)
    .toEqual(['Rename']);
  await expect(page.getByText(/You answered Rename later/)).toBeVisible();
  expect(
    (await beckon.questions(page, task!))[0]!.settlement,
    'that it ran out is not forgotten',
  ).toBe('expired');
});

test('what ran out while it was being answered keeps every word', async ({ page, start }) => {
  const beckon = await start(one);
  const { card, task } = await asked(page, beckon, 10_000);
  await page.keyboard.press('o');
  await page.keyboard.type('Neither, for');
  await expect(card.getByRole('timer')).toContainText(/Held at/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  await expect(page.getByText('What you wrote is kept')).toBeVisible({ timeout: patience(20_000) });
  await page.getByRole('button', { name: 'Say something now' }).click();
  await expect(page.getByRole('textbox', { name: 'Your own words' })).toHaveValue('Neither, for');
  await page.waitForTimeout(newcomer);
  await page.getByRole('button', { name: /Send answer/ }).click();
  await expect
    .poll(async () => (await beckon.questions(page, task))[0]!.answer?.items[0]?.other)
    .toBe('Neither, for');
});

test('what an agent decided without asking stands above its changes, and can be decided otherwise', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: Keep\nwrite db.txt "SQLite\\n"\nmcp record_assumption {"question":"Which database?","assumption":"SQLite, nothing else is installed."}\ntext Kept in SQLite.',
    'match: PostgreSQL\nwrite db.txt "PostgreSQL\\n"\ntext Moved.',
  );
  const [task] = await beckon.openWith(page, { title: 'Keep the rows', policy: 'wait' });
  await expect(page.getByRole('article', { name: /^SAM-1, review/i })).toBeVisible({
    timeout: patience(25_000),
  });
  await beckon.open(page, `#/task/${task!.key}/changes`);
  const list = page.getByRole('list', { name: 'Decided without an answer' });
  await expect(list).toContainText(
    /Claude decided by itself\.\s*Which database\?\s*SQLite, nothing else is installed\./,
  );
  await judge(page, 'the changes of an agent that decided by itself');
  await list.getByRole('button', { name: 'Decide otherwise: Which database?' }).click();
  const card = page.getByRole('group', { name: /Which database/ });
  await card.getByRole('textbox').fill('PostgreSQL');
  await card.getByRole('button', { name: /Send answer/ }).click({ delay: newcomer });
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.locator('.diffs')).toContainText('PostgreSQL', { timeout: patience(25_000) });
});
