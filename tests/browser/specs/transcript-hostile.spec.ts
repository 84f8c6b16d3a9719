import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

/** Nothing may hold up the page longer than this, in milliseconds. */
const longest = 200;

const deep = 100_000;

function line(content: object[], n: number): string {
  const message = { id: `msg_h${n}`, type: 'message', role: 'assistant', model: 'opus', content };
  return JSON.stringify({
    type: 'assistant',
    message,
    parent_tool_use_id: null,
    session_id: 's',
    uuid: `0000000${n}-0000-4000-8000-00000000000${n}`,
  });
}

const nested = {
  'deep lists': Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}- x`).join('\n'),
  'deep quotes': `${'> '.repeat(deep)}x`,
  'deep brackets': '['.repeat(deep),
  'deep emphasis': `${'*_'.repeat(deep)}x`,
  'deep markup': `${'<div>'.repeat(deep)}x`,
  'deep data': `${'['.repeat(deep)}${']'.repeat(deep)}`,
  'a line of a megabyte': 'z'.repeat(1 << 20),
  'a fence of a megabyte': `\`\`\`json\n${'{"a":'.repeat(1 << 18)}`,
  'a table without end': `${'|a'.repeat(4000)}|\n${'|-'.repeat(4000)}|`,
  'half a million entities': '&lt;'.repeat(1 << 17),
};

const evil = String.raw`<script>window.__pwned = 1</script><img src=x onerror="window.__pwned = 2"><svg onload="window.__pwned = 3"><script>window.__pwned = 4</script></svg>
<math><mtext></p><style><img src=x onerror="window.__pwned = 5"></style></mtext></math><details open ontoggle="window.__pwned = 6"><summary>s</summary></details>
[js](javascript:window.__pwned=7) [data](data:text/html,<script>window.__pwned=8</script>) [file](file:///etc/passwd) [wails](wails://x) ![pixel](https://evil.test/p.png)
<https://evil.test/auto> <a href="https://evil.test" target="_top">top</a><form action="https://evil.test"><button autofocus formaction="javascript:window.__pwned=9">go</button></form>`;

/** What terminals obey and eyes miss. */
const hidden =
  'safe\u202Egnp.exe\u202C zero\u200Bwidth\u2066iso\u2069 \u001b[31mred\u001b[0m \u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007 \u009b2J \u0000end';

/** Counts what holds up the page. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = globalThis as unknown as { tasks: number[] };
    kept.tasks = [];
    new PerformanceObserver((list) =>
      kept.tasks.push(...list.getEntries().map((entry) => entry.duration)),
    ).observe({ type: 'longtask', buffered: true });
  });
}

function worst(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks.splice(0)),
  );
}

/** What the page has taken of the processor, in milliseconds: unlike a watch, it does not see who else is busy. */
async function spent(meter: CDPSession): Promise<number> {
  const { metrics } = await meter.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

/** Scrolls from the end to the beginning and returns what the dearest step took of the processor. */
async function dearest(meter: CDPSession, log: Locator): Promise<number> {
  await log.evaluate((element) => (element.scrollTop = element.scrollHeight));
  let most = 0;
  for (let top = Infinity; top > 0;) {
    const before = await spent(meter);
    top = await log.evaluate((element) => {
      element.scrollTop -= 300;
      return new Promise<number>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(element.scrollTop))),
      );
    });
    most = Math.max(most, (await spent(meter)) - before);
  }
  return most;
}

/** Elements that do something on their own. */
function acting(log: Locator): Promise<number> {
  return log.evaluate(
    (element) =>
      element.querySelectorAll(
        'script, style, svg:not([class*=lucide]), math, iframe, object, embed, form, meta, base, link, video, audio, details, img, [onerror], [onload], [ontoggle], [style*=url], a:not([href^="http"]):not([href^="mailto"])',
      ).length,
  );
}

test(
  'whatever an agent writes is text: nothing runs, nothing is fetched, and nobody is led away',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const tool = {
      type: 'tool_use',
      id: 'toolu_h',
      name: 'mcp__<b>x</b>__y',
      input: { file_path: evil, deep: hidden },
    };
    const told = {
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_h',
            content: `${evil}\n${hidden}`,
            is_error: true,
          },
        ],
      },
      parent_tool_use_id: null,
      session_id: 's',
      uuid: '00000009-0000-4000-8000-000000000009',
    };
    const beckon = await start(
      `say @a\nsay @b\nsay @c\nthink @evil\ntext The end of it.\nsleep 60s\n-- a --\n${line([{ type: 'text', text: `${evil}\n\n${hidden}` }], 1)}\n-- b --\n${line([tool], 2)}\n-- c --\n${JSON.stringify(told)}\n-- evil --\n${evil}`,
    );
    const [task] = await beckon.openWith(page, { title: 'Talk' });
    await beckon.open(page, `#/task/${task!.key}`);
    const log = page.getByRole('log', { name: 'Session' });
    await expect(log).toContainText('The end of it.');
    await page.getByRole('radio', { name: 'Everything' }).click();
    await log.getByRole('button', { expanded: false }).first().click();
    await expect(log).toContainText('⟨U+202E⟩gnp.exe');
    const said = await log.innerText();
    for (const sign of ['\u202e', '\u200b', '\u2066', '\u001b', '\u009b', '\u0000'])
      expect(said, `U+${sign.codePointAt(0)!.toString(16)}`).not.toContain(sign);
    expect(said).toContain('<script>window.__pwned = 1</script>');
    expect(await acting(log), 'elements that do something').toBe(0);

    for (const word of ['js', 'data', 'file', 'wails'])
      await log.getByText(word, { exact: true }).first().click();
    await log.getByRole('link', { name: 'pixel' }).first().hover();
    expect(
      await page.evaluate(() => (globalThis as unknown as { __pwned?: number }).__pwned),
    ).toBeUndefined();
    expect(page.url()).toBe(`${beckon.base}/#/task/${task!.key}`);
    await page.keyboard.press('Control+f');
    await page.getByRole('search').getByRole('textbox').fill('<img src=x');
    await expect(page.getByRole('search').getByRole('status')).toHaveText(/^1 of/);
    expect(await acting(log)).toBe(0);
  },
);

test(
  'no row holds up the page, however deep or long it is',
  { tag: '@smoke' },
  async ({ page, start }) => {
    test.slow();
    const cases = Object.entries(nested);
    const steps = cases.map(([name], i) => `say @f${i}\ntext After ${name}.`).join('\n');
    const files = cases
      .map(
        ([name, text], i) =>
          `-- f${i} --\n${line(
            [
              { type: 'text', text: `Here: ${name}.` },
              { type: 'text', text },
            ],
            i,
          )}`,
      )
      .join('\n');
    await watchTasks(page);
    const beckon = await start(`${steps}\nsleep 120s\n${files}`);
    const [task] = await beckon.openWith(page, { title: 'Talk' });
    const log = page.getByRole('log', { name: 'Session' });
    await beckon.open(page, `#/task/${task!.key}`);
    await expect(log).toContainText(`After ${cases.at(-1)![0]}.`, { timeout: patience(60_000) });
    // A machine that is busy elsewhere holds up any page now and then, but not each time.
    const openings: number[] = [];
    for (let i = 0; i < 3; i++) {
      await beckon.open(page, '#/');
      await expect(page.getByRole('article', { name: new RegExp(task!.key) })).toBeVisible();
      await worst(page); // what the board took
      await beckon.open(page, `#/task/${task!.key}`);
      await expect(log).toContainText(`After ${cases.at(-1)![0]}.`);
      openings.push(await worst(page));
    }
    expect(
      Math.min(...openings),
      `milliseconds of the longest task of an opening, of ${openings.join(', ')}`,
    ).toBeLessThan(longest);
    const meter = await page.context().newCDPSession(page);
    await meter.send('Performance.enable', { timeDomain: 'threadTicks' });
    const passes = [await dearest(meter, log), await dearest(meter, log)];
    expect(
      Math.min(...passes),
      `milliseconds of the processor for the dearest row, in passes of ${passes.join(' and ')}`,
    ).toBeLessThan(longest);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      'the page does not scroll sideways',
    ).toBeLessThanOrEqual(0);
  },
);
