// The page of numbers, by keys: what it shows of a run, one day alone, a task, and the file.
import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('the numbers show what a run took and how it waited, by keys', async ({ page, start }) => {
  const beckon = await start('ask Keep Span? | Yes | No\ntext Done.');
  const [task] = await beckon.openWith(page, { title: 'Rename Span', status: 'backlog' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page.getByText('Nothing has run yet.')).toBeVisible();
  await judge(page, 'the numbers before the first run');

  await beckon.call(page, 'MoveTask', task!.id, 'queued', 0);
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  const runs = () => beckon.call<{ outcome: string }[]>(page, 'Runs', task!.id);
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
    items: [{ labels: ['Yes'], other: '' }],
    verdict: '',
    text: '',
  });
  await expect
    .poll(async () => (await runs())[0]?.outcome, { timeout: patience(20_000) })
    .toBe('succeeded');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.keyboard.press('g');
  await page.keyboard.press('n');

  const cost = page.getByRole('radio', { name: /^Cost/ });
  await expect(cost).toBeChecked();
  await expect(page.getByRole('heading', { name: 'Cost per day' })).toBeVisible();
  await page.keyboard.press('5');
  await expect(
    page.getByRole('radio', { name: /^Questions 1 1 answered, 0 assumed/ }),
  ).toBeChecked();
  const bars = page.getByRole('slider', { name: 'Questions per day' });
  await expect(bars).toHaveAttribute('aria-valuemax', '30');
  await expect(bars).toHaveAttribute('aria-valuetext', 'today: 1');
  await page.keyboard.press('4');
  await expect(page.getByRole('radio', { name: /^Waited for you.*median answer/ })).toBeChecked();

  // One day alone, and all again.
  const days = page.getByRole('slider', { name: 'Waited for you, per day' });
  await days.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(days).toHaveAttribute('aria-valuetext', /, shown alone$/);
  const table = page.getByRole('table', { name: 'By task' });
  await expect(table.getByRole('link')).toHaveCount(0);
  await judge(page, 'the numbers of one day');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('link')).toHaveText(['Rename Span']);

  const model = page.getByRole('region', { name: 'By agent and model' }).getByRole('button');
  await model.first().click();
  await expect(model.first()).toHaveAttribute('aria-pressed', 'true');
  await model.first().click();

  await page.keyboard.press('e');
  const said = page.getByText(/^Exported 1 row to .*numbers\.csv/);
  await expect(said).toBeVisible();
  const path = /to (.*\.csv)/.exec((await said.textContent())!)![1]!;
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',SAM-1,Rename Span,claude,');

  await page.keyboard.press('j');
  await expect(table.getByRole('link', { name: 'Rename Span' })).toBeFocused();
  await judge(page, 'the numbers of a run');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1/);
});
