// A decision is chosen differently by keys: the files of then, another answer, and all of it back.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('a decision is chosen differently, and taken back, by keys', async ({ page, start }) => {
  const beckon = await start(
    'ask Parser or planner? | Parser | Planner\nwrite made.txt hello\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Check ranges', status: 'backlog' });
  await beckon.call(page, 'MoveTask', task!.id, 'queued', 0);
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  const runs = () => beckon.call<{ outcome: string }[]>(page, 'Runs', task!.id);
  const answer = async (label: string, run: number) => {
    await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
    await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
      items: [{ labels: [label], other: '' }],
      verdict: '',
      text: '',
    });
    await expect
      .poll(async () => (await runs())[run]?.outcome, { timeout: patience(20_000) })
      .toBe('succeeded');
  };
  await answer('Planner', 0);

  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  const rows = page.getByRole('option');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('j');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('r');
  const sheet = page.getByRole('dialog', { name: 'I’d have chosen differently' });
  await expect(sheet.getByText('1 file is undone')).toBeVisible();
  await expect(sheet.getByText('made.txt')).toBeVisible();
  await expect(sheet.getByText('-before-rewind')).toBeVisible();
  const go = sheet.getByRole('button', { name: 'Start a new run' });
  await expect(go).toBeDisabled();
  await page.keyboard.press('2');
  await expect(go).toBeDisabled(); // it is the answer that was given
  await page.keyboard.press('1');
  await expect(sheet.getByRole('radio', { name: /Parser/ })).toBeChecked();
  await judge(page, 'a decision chosen differently');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();
  // The agent that began asks, and is stopped.
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('SAM-1 is as it was before')).toBeVisible();
  expect(await open()).toHaveLength(0);
  await expect.poll(async () => (await runs())[1]?.outcome).toBe('stopped');

  await page.keyboard.press('r');
  await expect(sheet.getByText('1 file is undone')).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();
  await answer('Parser', 2);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('chosen differently later: Parser');
  await page.keyboard.press('Shift+U');
  await expect(page.getByRole('button', { name: 'Undone 1' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(rows).toHaveCount(1);
  await judge(page, 'undone decisions');
  await page.keyboard.press('Shift+U');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).click();
  await page.keyboard.press('r');
  await expect(sheet.getByText('This task was taken back to a decision')).toBeVisible();
  await expect(sheet.getByText('The other answer: ')).toContainText('Parser');
  await judge(page, 'what was taken back');
  await sheet.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByText('SAM-1 is as it was before')).toBeVisible();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Undone 0' })).toBeVisible();
  await page.keyboard.press('r');
  await expect(sheet.getByText('1 file is undone')).toBeVisible(); // it is there again
  await expect(sheet.getByText('This task was taken back to a decision')).toBeHidden();
});
