import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Response } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, openFull } from '../support/sample';
import { leave, missions, overlays, pages, visit } from '../support/screens';

test('the title counts who waits, and the count goes with the answer', async ({ page, start }) => {
  const beckon = await start('ask Which one? | Left | Right');
  const [first] = await beckon.openWith(page, { title: 'One' }, { title: 'Two' });
  await expect(page).toHaveTitle('(2) Beckon');
  await expect(page.getByRole('link', { name: /^Inbox/ })).toContainText('2');
  await beckon.call(page, 'AnswerQuestion', (await beckon.questions(page, first!))[0]!.id, {
    items: [{ labels: ['Left'], other: '' }],
    verdict: '',
    text: '',
    by: '',
    at: 0,
  });
  await expect(page).toHaveTitle('(1) Beckon');
  await page.keyboard.press('ControlOrMeta+J');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('2');
  await expect(page).toHaveTitle('Beckon');
});

test('a link to a task that is gone says so under a heading, and leads back', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/task/SAM-99');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('SAM-99');
  await page.getByRole('main').getByRole('link', { name: 'Back to the board' }).click();
  await expect(page.getByRole('article', { name: /SAM-1/ })).toBeVisible();
});

test('a claude that is newer than was tried is named once, and used', async ({ page, start }) => {
  const beckon = await start('text Done.');
  const claude = join(beckon.dir, 'claude');
  const [head, ...rest] = readFileSync(claude, 'utf8').split('\n');
  writeFileSync(
    claude,
    [head, `[ "$1" != --version ] || { echo '99.1.0 (Claude Code)'; exit; }`, ...rest].join('\n'),
  );
  await beckon.openWith(page, { title: 'Now' });
  await expect(page.getByRole('region', { name: 'Review' }).getByRole('article')).toHaveCount(1);
  await page.reload();
  const line = page.getByRole('status').filter({ hasText: '99.1.0' });
  await expect(line).toContainText(/2\.1\.197 to 2\.1\.\d+/);
  await judge(page, 'a claude that is newer than was tried');
  await line.getByRole('button', { name: 'Got it' }).click();
  await expect(line).toBeHidden();
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(line).toBeHidden();
  await beckon.open(page, '#/settings/about');
  await expect(page.getByText(/99\.1\.0 · Beckon was tried with 2\.1\.197 to/)).toBeVisible();
});

test(
  'the first load is at most 300 KB, compressed, and from Beckon alone',
  { tag: '@smoke' },
  async ({ page, browser, context, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    // Another context has nothing cached.
    const fresh = await browser.newContext({ storageState: await context.storageState() });
    const first = await fresh.newPage();
    await first.addInitScript(() => {
      // What is fetched after the board shows is for later, and comes when the page rests.
      const shows = new MutationObserver(() => {
        if (!document.querySelector('[data-task]')) return;
        Object.assign(window, { shown: performance.timeOrigin + performance.now() });
        shows.disconnect();
      });
      shows.observe(document, { subtree: true, childList: true });
    });
    const responses: Response[] = [];
    first.on('response', (response) => responses.push(response));
    await first.goto(beckon.base);
    await expect(first.getByRole('article', { name: /SAM-1/ })).toBeVisible();
    await first.waitForLoadState('networkidle');
    const shown = await first.evaluate(() => (window as unknown as { shown: number }).shown);

    let bytes = 0;
    for (const response of responses) {
      const { responseBodySize, responseHeadersSize } = await response.request().sizes();
      if (response.request().timing().startTime <= shown)
        bytes += responseBodySize + responseHeadersSize;
      const type = response.headers()['content-type'] ?? '';
      if (/javascript|css|html|svg/.test(type) && responseBodySize > 1500) {
        expect(response.headers()['content-encoding'], `${response.url()} is compressed`).toMatch(
          /^(gzip|br|zstd)$/,
        );
      }
    }
    expect(responses.map((response) => new URL(response.url()).origin)).toEqual(
      responses.map(() => beckon.base),
    );
    console.log(`first load: ${Math.round(bytes / 1024)} KB`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes, 'bytes until the board shows').toBeLessThanOrEqual(300 * 1024);
    await fresh.close();
  },
);

test(
  'the page lives under a strict policy, and what breaks it is stopped',
  { tag: '@smoke' },
  async ({ page, offences, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page);
    const headers = (await page.reload())!.headers();
    const policy = new Map(
      headers['content-security-policy']!.split(/;\s*/).map((rule) => [
        rule.split(' ')[0],
        rule.split(' ').slice(1).join(' '),
      ]),
    );
    expect(policy.get('default-src')).toBe("'self'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('object-src')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('form-action')).toBe("'none'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);

    // The same that the other tests are watched for.
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      const picture = document.createElement('img');
      picture.src = 'https://elsewhere.test/picture.png';
      document.body.append(script, picture);
      await fetch('https://elsewhere.test/data').catch(() => {});
      return 'ran' in globalThis;
    });
    expect(ran).toBe(false);
    await expect
      .poll(() => offences.join('\n'))
      .toMatch(/script-src[^]*img-src|img-src[^]*script-src/);
    expect(offences.splice(0).join('\n')).toContain('connect-src');
  },
);

test('at 960 by 640 nothing lies over anything, and the page does not scroll sideways', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(...agents);
  await page.setViewportSize({ width: 960, height: 640 });
  const full = await openFull(beckon, page);
  for (const screen of [
    ...pages(full),
    { name: 'brief', hash: `#/task/${full.ask.key}/brief`, shows: 'h1' },
    ...missions,
  ]) {
    await visit(beckon, page, screen);
    expect.soft(await covered(page), `${screen.name}: what cannot be pressed`).toEqual([]);
    expect
      .soft(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${screen.name}: sideways`,
      )
      .toBeLessThanOrEqual(0);
  }
  for (const screen of overlays(full)) {
    await visit(beckon, page, screen);
    expect.soft(await covered(page, over), `${screen.name}: what cannot be pressed`).toEqual([]);
    await leave(page, screen);
  }
});

/** What lies over the page. */
const over = 'dialog[open], .popover, [role="menu"], [role="listbox"], [role="search"]';

/** The controls in view whose middle belongs to something else. */
function covered(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((selector) => {
    const root = document.querySelector(selector)!;
    const controls = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, [role="radio"], [role="checkbox"], [role="tab"]',
      ),
    ];
    const wrong = controls.filter((control) => {
      if (
        !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        control.closest('.sr, .skip, .toaster')
      )
        return false;
      const box = control.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      for (let around: Element | null = control; around; around = around.parentElement) {
        const clip = around.getBoundingClientRect();
        const cuts =
          around === document.documentElement || getComputedStyle(around).overflow !== 'visible';
        if (cuts && (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom))
          return false; // scrolled away
      }
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true;
      const hit = document.elementFromPoint(x, y);
      return !(
        hit &&
        (control.contains(hit) || hit.contains(control) || control.closest('label')?.contains(hit))
      );
    });
    return wrong.map((control) => control.outerHTML.slice(0, 160));
  }, within);
}
