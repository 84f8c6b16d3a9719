// The tests of a worker share a page: none may see what the one before it left.
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../support/fixture';

test.describe.configure({ mode: 'serial' });

const somewhere = 'http://127.0.0.1:9/';

/** Answers for an origin that is the same in all tests. */
async function visit(context: BrowserContext, page: Page): Promise<void> {
  await context.route(somewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Here</title>' }));
  await page.goto(somewhere);
}

/** All of a page that a test can change. */
async function traces(context: BrowserContext, page: Page) {
  return page.evaluate(async (cookies) => ({
    cookies,
    kept: [localStorage.length, sessionStorage.length, window.name],
    databases: (await indexedDB.databases()).length,
    permission: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    online: navigator.onLine,
    media: ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)', '(prefers-contrast: more)'].filter((query) => matchMedia(query).matches),
    size: [innerWidth, innerHeight, devicePixelRatio],
    scripts: ['left' in window, 'bound' in window],
    time: new Date().getFullYear() > 2000,
  }), (await context.cookies()).length);
}

test('a test leaves all that it can in its page', async ({ context, page }) => {
  await visit(context, page);
  const before = await traces(context, page);
  await context.addCookies([{ name: 'left', value: 'yes', url: somewhere }]);
  await context.grantPermissions(['clipboard-read'], { origin: somewhere });
  await context.setExtraHTTPHeaders({ 'X-Left': 'yes' });
  await context.addInitScript(() => Object.assign(window, { left: true }));
  await page.exposeFunction('bound', () => true);
  await context.route('**/left', (route) => route.fulfill({ body: 'left' }));
  await page.route('**/left', (route) => route.fulfill({ body: 'left' }));
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active', contrast: 'more' });
  await page.setViewportSize({ width: 500, height: 400 });
  await page.clock.setFixedTime(new Date('1999-12-31'));
  await context.newPage();
  await page.reload();
  await page.evaluate(() => {
    localStorage.setItem('left', 'yes');
    sessionStorage.setItem('left', 'yes');
    window.name = 'left';
    return new Promise((opened) => (indexedDB.open('left').onsuccess = opened));
  });
  const after = await traces(context, page);
  expect(Object.entries(before).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(after[name as keyof typeof after])).map(([name]) => name), 'what it left no trace of').toEqual(['online']);
  await context.setOffline(true);
});

test('and the next one sees nothing of it', async ({ context, page }) => {
  expect(context.pages()).toEqual([page]);
  expect(page.url()).toBe('about:blank');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(...Object.keys(request.headers())));
  await visit(context, page);
  expect(await traces(context, page)).toEqual({
    cookies: 0, kept: [0, 0, ''], databases: 0, permission: 'prompt', online: true, media: [], size: [1440, 900, 1], scripts: [false, false], time: true,
  });
  expect(sent).not.toContain('x-left');
  expect(await page.evaluate(() => fetch('/left').then(() => 'a reply', () => 'none'))).toBe('none');
});
