import type { Locator } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

const most = 20_000;
const settled = 60_000;
/** How many entries come at once, and a few that were in sight before. */
const stride = 250;

const message = {
  id: 'msg_0_000000000000',
  type: 'message',
  role: 'assistant',
  model: 'opus',
  content: [{ type: 'text', text: 'Entry 000000000000. Some words about it.' }],
};
const line = JSON.stringify({
  type: 'assistant',
  message,
  parent_tool_use_id: null,
  session_id: 's',
  uuid: '00000000-0000-4000-8000-000000000000',
});

/** What was in the page after a step, and by how much the entry in the middle moved meanwhile. */
interface Step {
  shown: number[];
  entry: number;
  moved: number;
}

/** Goes to the end of what is loaded, and waits until what comes after it is there too. */
function forward(log: Locator, last: number): Promise<Step> {
  return log.evaluate(async (element, end) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const rows = () => [...element.querySelectorAll('.virtual-row')];
    const number = (row: Element) => Number(/Entry (\d+)\./.exec(row.textContent ?? '')?.[1] ?? -1);
    const shown = () =>
      rows()
        .map(number)
        .filter((n) => n >= 0);
    const topOf = (entry: number) =>
      rows()
        .find((row) => number(row) === entry)
        ?.getBoundingClientRect().top ?? Infinity;
    // What is measured once may be moved before it is painted.
    const resting = async (entry: number) => {
      for (let before = NaN; ; await frame()) {
        const top = topOf(entry);
        if (top === before) return top;
        before = top;
      }
    };
    element.scrollTop = element.scrollHeight;
    await frame();
    // Of this paint: what comes next may come while the rows are measured.
    const known = Math.max(...shown());
    const box = element.getBoundingClientRect();
    const entry = number(
      rows().find((row) => row.getBoundingClientRect().bottom >= box.top + box.height / 2)!,
    );
    const before = await resting(entry);
    const late = performance.now() + 10_000;
    while (known < end && Math.max(...shown()) <= known && performance.now() < late) await frame();
    return { shown: shown(), entry, moved: Math.abs((await resting(entry)) - before) };
  }, last);
}

test('a session of 20,000 entries is read from its beginning to its end, and no line moves under the eye', async ({
  page,
  start,
}) => {
  test.setTimeout(patience(240_000));
  const beckon = await start(`flood ${most} @lines\ntext The end of it.\n-- lines --\n${line}`);
  const [task] = await beckon.openWith(page, { title: 'Talk' });
  await beckon.open(page, `#/task/${task!.key}`);
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log).toContainText('The end of it.', { timeout: settled });
  await page.getByRole('button', { name: 'Resume' }).first().waitFor({ timeout: settled });
  await page.reload();
  await expect(log).toContainText('The end of it.');

  const began = Date.now();
  await log.press('Home');
  await expect(log).toContainText('Entry 000000000000.');
  await expect(log).toContainText('Talk');
  expect(Date.now() - began, 'milliseconds to the other end').toBeLessThan(5000);

  let last = 0;
  for (let steps = 0; last < most - 1 && steps < (2 * most) / 200; steps++) {
    const { shown, entry, moved } = await forward(log, most - 1);
    expect(moved, `pixels that entry ${entry} moves under the eye`).toBeLessThanOrEqual(2);
    expect(shown, 'entries in order, none left out').toEqual(shown.map((_, i) => shown[0]! + i));
    expect(shown[0]! - last, 'entries that were jumped over').toBeLessThan(stride);
    expect(shown.length, 'only what is in sight is in the page').toBeLessThan(150);
    last = shown.at(-1)!;
  }
  expect(last).toBe(most - 1);
  await expect(log).toContainText('The end of it.');
  await log.press('End');
  await expect(page.getByRole('button', { name: 'To the end' })).toBeHidden();
});
