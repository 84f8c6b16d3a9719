import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

/** Starts a task and shows its session. */
async function session(page: Page, beckon: Beckon): Promise<{ log: Locator; task: Task }> {
  const [task] = await beckon.openWith(page, { title: 'Talk' });
  await beckon.open(page, `#/task/${task!.key}`);
  return { log: page.getByRole('log', { name: 'Session' }), task: task! };
}

test('what the agent writes appears while it writes', async ({ page, start }) => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
  const beckon = await start(`pace: 40ms\ntext I wait.\nexpect now\ntext ${words}\nsleep 2s`);
  const { log, task } = await session(page, beckon);
  await expect(log).toContainText('I wait.', { timeout: patience(20_000) });
  await beckon.steer(page, task.id, 'now'); // nothing is written before somebody looks
  await expect(log).toContainText('word3 ');
  expect(await log.innerText(), 'the end is not written yet').not.toContain('word59');
  await expect(log).toContainText('word59');
});

test('a session of 2,000 entries is read to its beginning, and no line moves under the eye', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(
    `flood 2000 @lines\n-- lines --\n${Array.from({ length: kinds }, (_, i) => spoken(i)).join('\n')}`,
  );
  const { log } = await session(page, beckon);
  await expect(log).toContainText('Entry 000000000285:4.', { timeout: patience(30_000) });
  await expect(page.getByRole('button', { name: 'Resume' }).first()).toBeVisible({
    timeout: patience(30_000),
  });
  await page.reload();
  await expect(log).toContainText('Entry 000000000285:4.');
  expect(
    await log.locator('.virtual-row').count(),
    'only what is in sight is in the page',
  ).toBeLessThan(150);

  let last = 2000;
  for (let turns = 0; last > 0 && turns < 120; turns++) {
    const { entry, moved } = await scrollUp(log);
    expect(moved, `pixels that entry ${entry} moves under the eye`).toBeLessThanOrEqual(2);
    const shown = await entries(log);
    expect(shown, 'entries in order, none left out').toEqual(shown.map((_, i) => shown[0]! + i));
    last = Math.min(...shown);
  }
  expect(last).toBe(0);
  await expect(log).toContainText('Talk');
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(log).toContainText('Entry 000000000285:4.');
});

/** How many lengths of entries there are, printed over and over. */
const kinds = 7;

/** A line of the agent's; the zeroes become the number of its round. */
function spoken(kind: number): string {
  const content = [
    { type: 'text', text: `Entry 000000000000:${kind}. ${'and some words '.repeat(kind * 2)}` },
  ];
  const message = {
    id: `msg_${kind}_000000000000`,
    type: 'message',
    role: 'assistant',
    model: 'opus',
    content,
  };
  return JSON.stringify({
    type: 'assistant',
    message,
    parent_tool_use_id: null,
    session_id: 's',
    uuid: `0000000${kind}-0000-4000-8000-000000000000`,
  });
}

/** The numbers of the entries in the page. */
function entries(log: Locator): Promise<number[]> {
  return log.evaluate(
    (element, n) =>
      [...element.textContent!.matchAll(/Entry (\d+):(\d)\./g)].map(
        ([, round, kind]) => Number(round) * n + Number(kind),
      ),
    kinds,
  );
}

/** Within how many pixels of the beginning of what is loaded the list asks for what is older. */
const asking = 600;

/**
 * Scrolls up by more than a view, as a wheel does, and waits until the older
 * entries are there where they were asked for; returns by how much the entry in
 * the middle moved meanwhile.
 */
function scrollUp(log: Locator): Promise<{ entry: number; moved: number }> {
  return log.evaluate(
    async (element, [n, near]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const number = (row: Element) => {
        const [, round, kind] = /Entry (\d+):(\d)\./.exec(row.textContent ?? '') ?? [];
        return kind === undefined ? -1 : Number(round) * n + Number(kind);
      };
      const topOf = (entry: number) =>
        [...element.querySelectorAll('.virtual-row')]
          .find((row) => number(row) === entry)
          ?.getBoundingClientRect().top ?? Infinity;
      // What came since the last paint is measured, and moved, only before the
      // next one: of two readings there must be a paint between.
      const resting = async (entry: number) => {
        for (let before = NaN; ;) {
          await frame();
          const top = topOf(entry);
          if (top === before) return top;
          before = top;
        }
      };
      for (let turns = 0; turns < 4; turns++) {
        element.scrollTop -= 400;
        await frame();
      }
      const box = element.getBoundingClientRect();
      const middle = [...element.querySelectorAll('.virtual-row')].find(
        (row) => row.getBoundingClientRect().bottom >= box.top + box.height / 2,
      )!;
      const entry = number(middle);
      const before = await resting(entry);
      const asked = () =>
        element.scrollTop < near &&
        ![...element.querySelectorAll('.virtual-row')].some((row) => number(row) === 0);
      const late = performance.now() + 10_000;
      while (asked() && performance.now() < late) await frame();
      return { entry, moved: Math.abs((await resting(entry)) - before) };
    },
    [kinds, asking] as const,
  );
}

const hostile =
  String.raw`
text @evil
run printf '\033[31mred\033[0m \033]8;;https://evil.test\007link\033]8;;\007 <img src=x onerror=alert(3)>'
write <b>name</b>.svg @svg
ask {"questions":[{"question":"<img src=https://evil.test/q.png onerror=alert(4)> \u202Ereversed [x](javascript:alert(5))","header":"<b>bold</b>","options":[{"label":"<script>alert(6)</script>","description":"<iframe src=https://evil.test>"},{"label":"Plain","description":""}]}]}
-- evil --
<script>alert(1)</script> <img src="https://evil.test/i.png" onerror="alert(2)">
<svg onload="alert(7)"><a href="javascript:alert(8)">in a picture</a></svg>
<iframe src="https://evil.test/frame"></iframe><form action="https://evil.test"><button>send</button></form>
<style>@import url(https://evil.test/s.css); * { display: none }</style><meta http-equiv="refresh" content="0;url=https://evil.test">
<base href="https://evil.test/"><link rel="stylesheet" href="https://evil.test/l.css"><object data="https://evil.test/o"></object>

[a link](javascript:alert(9)) ![a picture](https://evil.test/p.png) [data](data:text/html,<script>alert(10)</script>) [file](file:///etc/passwd)

` +
  '\u202Egnp.exe\u202C zero\u200Bwidth \u001b[31mred\u001b[0m \u001b]0;title\u0007' +
  `

${'> '.repeat(3000)}deep ${'['.repeat(3000)}

The end of it.
-- svg --
<svg xmlns="http://www.w3.org/2000/svg" onload="alert(11)"><script>alert(12)</script></svg>
`;

test('what an agent writes is shown, and does nothing', async ({ page, start }) => {
  const beckon = await start(hostile);
  const { log } = await session(page, beckon);
  await expect(log).toContainText('The end of it.');
  const question = page.getByRole('main').getByRole('group', { name: /img src/ });
  await expect(question).toContainText('<script>alert(6)</script>');
  await expect(question).toContainText('<img src=https://evil.test/q.png');
  expect(await question.innerText()).not.toContain('\u202e');
  await expect(log).toContainText('⟨U+202E⟩gnp.exe');
  expect(await log.innerText()).not.toContain('\u001b');
  await log.getByText('a link').first().click();

  await page.getByRole('button', { name: /Ran/ }).first().click();
  await expect(log).toContainText('red link <img src=x onerror=alert(3)>');
  for (const tab of [/Changes/, /Runs/, /Session/])
    await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await expect(page.getByRole('main').locator('.ask[role=group]')).toContainText(
    '<script>alert(6)</script>',
  );
  await expect(page).toHaveTitle('(1) Beckon');
  expect(new URL(page.url()).origin).toBe(beckon.base);
  const alive = await page
    .locator('main')
    .evaluate(
      (main) =>
        main.querySelectorAll(
          'script, iframe, object, embed, form, style, meta, base, link, img[src^="http"], [onerror], [onload], a[href^="javascript"], a[href^="data"], a[href^="file"]',
        ).length,
    );
  expect(alive, 'elements that do something').toBe(0);
});

test('a line of 5 MB does not freeze the page', async ({ page, start }) => {
  const beckon = await start(
    "big 5000000\nrun head -c 5000000 /dev/zero | tr '\\0' y\ntext After all that.\nsleep 60s",
  );
  const { log } = await session(page, beckon);
  await expect(log).toContainText('After all that.', { timeout: patience(30_000) });
  const began = Date.now();
  await page.getByRole('tab', { name: /Runs/ }).click();
  await expect(page.getByRole('tab', { name: /Runs/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Session' }).click();
  await expect(log).toContainText('After all that.');
  expect(Date.now() - began, 'milliseconds for two clicks').toBeLessThan(2000);
  const widest = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(widest, 'the page does not scroll sideways').toBeLessThanOrEqual(0);
});

test(
  'a link opens beside Beckon, and tells nobody where it came from',
  { tag: '@smoke' },
  async ({ page, context, offences, start }) => {
    const manual = 'http://127.0.0.1:9/manual'; // a name would be looked up
    await context.route(manual, (route) => route.fulfill({ body: 'elsewhere' }));
    const beckon = await start(`text See [the manual](${manual}).\nsleep 60s`);
    const { log } = await session(page, beckon);
    const opened = context.waitForEvent('page');
    await log.getByRole('link', { name: 'the manual' }).click();
    const other = await opened;
    await expect(other.getByText('elsewhere')).toBeVisible();
    expect(await other.evaluate(() => [opener === null, document.referrer])).toEqual([true, '']);
    expect(new URL(page.url()).origin).toBe(beckon.base);
    expect(offences.splice(0)).toContain(`a request to ${manual}`);
  },
);
