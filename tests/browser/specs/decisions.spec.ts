// The page of decisions, by keys: what was decided and what it led to, filters, and the files.
import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('decisions say who chose what and what it led to, by keys', async ({ page, start }) => {
  const beckon = await start(
    'ask Keep Span? | Yes | No\nwrite range.txt one\nask Merge ranges? | Merge | Reject\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Rename Span', status: 'backlog' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByText('Nothing was decided yet.')).toBeVisible();
  await judge(page, 'no decisions');

  await beckon.call(page, 'MoveTask', task!.id, 'queued', 0);
  for (const [text, label] of [
    ['Keep Span?', 'Yes'],
    ['Merge ranges?', 'Merge'],
  ]) {
    const open = async () =>
      (await beckon.questions(page, task!)).filter(
        (q) => q.settlement === 'open' && q.items[0]?.text === text,
      );
    await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
    await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
      items: [{ labels: [label], other: '' }],
      verdict: '',
      text: '',
    });
  }
  const runs = () => beckon.call<{ outcome: string }[]>(page, 'Runs', task!.id);
  await expect
    .poll(async () => (await runs())[0]?.outcome, { timeout: patience(20_000) })
    .toBe('succeeded');

  const rows = page.getByRole('option');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/Merge ranges\?.*SAM-1 question, 2 options.*Merge/s);
  await expect(rows.first()).toContainText('desk, you');
  await page.keyboard.press('j');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'Keep Span?' })).toBeVisible();
  await expect(details.getByText('What came after it')).toBeVisible();
  // Two decisions fell into one turn: each led to what came before the next was asked.
  await expect(details.getByText('1 file, in turn 1')).toBeVisible();
  await expect(details.getByText('range.txt')).toBeVisible();
  await expect(rows.first()).toContainText('no change');
  await judge(page, 'a decision');

  await page.keyboard.press('u');
  await expect(page.getByText('No decision is left by this filter.')).toBeVisible();
  await page.keyboard.press('u');
  await page.keyboard.press('f');
  await page.keyboard.type('reject');
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 decision', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(rows.first()).toBeFocused();

  await page.keyboard.press('t');
  const only = page.getByRole('button', { name: 'Only SAM-1' });
  await expect(only).toBeVisible();
  await page.keyboard.press('t');
  await expect(only).toBeHidden();

  await page.keyboard.press('i');
  await expect(details.getByRole('region')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rows.first()).toBeFocused();

  await page.keyboard.press('e');
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).press('Enter');
  const said = page.getByText(/^Exported 1 decision to .*decisions\.csv/);
  await expect(said).toBeVisible();
  const path = /to (.*\.csv)/.exec((await said.textContent())!)![1]!;
  expect(await readFile(path, 'utf8')).toContain(',SAM-1,ask,answered,Merge ranges?,Merge,');

  await rows.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/changes/);
  await page.goBack();
  await page.keyboard.press('f');
  await page.keyboard.type('span');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('1 file');
  await rows.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/changes\/decision-/);
  await expect(page.getByRole('button', { name: 'Only one decision' })).toBeVisible();
  await expect(page.locator('.diffs')).toContainText('range.txt');
});

test('what was decided while nobody was here stands first, what was assumed before the rest', async ({
  page,
  start,
}) => {
  await page.addInitScript((hour) => {
    const away = { since: Date.now() - 30 * hour, until: Date.now() + hour };
    localStorage.setItem('beckon.away', JSON.stringify({ last: Date.now(), away }));
  }, 3_600_000);
  const beckon = await start(
    'match: Rename\nmcp record_assumption {"question":"Which name?","assumption":"Span"}\ntext Done.',
    'match: Merge\nask Keep Span? | Yes | No\ntext Done.',
  );
  const [, waits] = await beckon.openWith(
    page,
    { title: 'Rename Span' },
    { title: 'Merge ranges' },
  );
  await beckon.open(page, '#/decisions');
  const rows = page.getByRole('option');
  await expect(rows).toHaveCount(1, { timeout: patience(20_000) });
  await expect(rows).toContainText('SAM-1');
  const asked = async () => (await beckon.questions(page, waits!))[0];
  await expect.poll(async () => (await asked())?.settlement).toBe('open');
  await beckon.call(page, 'AnswerQuestion', (await asked())!.id, {
    items: [{ labels: ['Yes'], other: '' }],
    verdict: '',
    text: '',
  });
  await expect(rows).toHaveCount(2);
  await expect(rows.first(), 'the older one was assumed').toContainText('SAM-1');
  const line = page.getByText(/^While you were away, since \w{3} \d\d:\d\d$/);
  await expect(line.locator('..')).toContainText('2 decisions, 1 assumed');
  await judge(page, 'what was decided meanwhile');
  await page.getByRole('button', { name: 'Seen' }).click();
  await expect(line).toBeHidden();
  await expect(rows).toHaveCount(2);
  await expect(rows.first(), 'the latest first').toContainText('SAM-2');
});
