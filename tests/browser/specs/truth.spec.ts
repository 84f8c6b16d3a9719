// What the page says to those who look, listen, or see only the system's colours.
import type { Locator, Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';
import { patience } from '../support/patience';

test('a command that waits for permission is not said to run', async ({ page, start }) => {
  const beckon = await start(
    'permit Bash {"command":"rm -rf build","description":"Removes what was built"}\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Permit a removal', policy: 'wait' });
  await page.goto(`${beckon.base}/#/task/${task!.key}`);
  const row = page
    .getByRole('log', { name: 'Session' })
    .getByRole('button', { name: /rm -rf build/ });
  await expect(row).toContainText('Needs permission');
  await expect(row).not.toContainText('Running');
  await page.waitForTimeout(newcomer); // for which a card that has just come is deaf
  await page.getByRole('button', { name: /^Deny/ }).click();
  await expect(row).toContainText('Ran');
});

test('a run that failed is announced as stopped, never as ready for review', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const said = await listen(page);
  await openFull(beckon, page);
  await expect.poll(said).toContain('SAM-5 stopped');
  await expect.poll(said).toContain('SAM-4 is ready for review');
  expect(await said()).not.toContain('SAM-5 is ready');
});

test('a question is announced with its options and its time, and so is what is left of it', async ({
  page,
  start,
}) => {
  const beckon = await start(agents[0]!);
  const said = await listen(page);
  await beckon.openWith(page, { title: 'Ask', policy: 'proceed', waitMs: 17_000 });
  await expect.poll(said).toMatch(/How should overlaps be treated\?\. 3 options\. 1\d s to answer/);
  await expect.poll(said).toContain('SAM-1: 15 s left to answer');
  await expect
    .poll(said, { timeout: patience(30_000) })
    .toContain('SAM-1 continues without your answer');
});

test('a clock is said at its last minute, too', async ({ page, start }) => {
  const beckon = await start(agents[0]!);
  const said = await listen(page);
  await beckon.openWith(page, { title: 'Ask', policy: 'proceed', waitMs: 64_000 });
  await expect.poll(said, { timeout: patience(20_000) }).toContain('3 options. 1 min to answer');
  await expect.poll(said, { timeout: patience(20_000) }).toContain('SAM-1: 1 min left to answer');
});

test('a toast covers nothing that decides', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { finish } = await openFull(beckon, page);
  await beckon.open(page, `#/task/${finish.key}/changes`);
  await page.getByRole('button', { name: /Merge into main/ }).click();
  const toast = page.locator('.toast');
  await toast.hover(); // so that it stays
  for (const width of [1440, 960]) {
    await page.setViewportSize({ width, height: 640 });
    await expect
      .poll(() => apart(toast, page.locator('.mergebar')), `the merge bar at ${width}`)
      .toBe(true);
  }
  await page.getByRole('tab', { name: /Session/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => apart(toast, page.locator('.composer'))).toBe(true);
});

async function apart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [(await one.boundingBox())!, (await other.boundingBox())!];
  return (
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
  );
}

test(
  'in forced colours one sees what is on, chosen and waiting',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    await openFull(beckon, page);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
    const chosen = page.locator('.rail a[aria-current]').first();
    expect(await style(chosen, 'outline-style')).toBe('solid');
    expect(await style(page.locator('.card.needs').first(), 'border-top-width')).toBe('3px');
    expect(await style(page.locator('.slots li').last(), 'border-top-style')).toBe('solid');
    await page.goto(`${beckon.base}/#/settings/keys`);
    const switched = page.getByRole('switch').first();
    const looks: string[] = [];
    for (const checked of ['true', 'false']) {
      await expect(switched).toHaveAttribute('aria-checked', checked);
      expect(await style(switched, 'border-top-style')).toBe('solid');
      await expect.poll(() => style(switched, 'background-color')).not.toBe(looks[0]);
      looks.push(await style(switched, 'background-color'));
      await switched.click();
    }
  },
);

function style(of: Locator, property: string): Promise<string> {
  return of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

/** Keeps all that the live regions say, from the page's first moment. */
async function listen(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    (globalThis as unknown as { said: string[] }).said = said;
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('.sr[aria-live]')) {
        if (region.textContent && region.textContent !== said.at(-1)) said.push(region.textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said.join('\n'));
}
