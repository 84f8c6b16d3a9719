import type { Page } from '@playwright/test';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, openFull } from '../support/sample';
import { pages, visit } from '../support/screens';
import { hittable } from '../support/targets';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const settings = { slots: 3, language: '', theme: '', singleKeys: true };
const plain = { textSize: 0, density: '', codeFont: '', contrast: '', motion: '' };

const looks = (page: Page) => page.evaluate(() => ({ ...document.documentElement.dataset }));
const style = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

test(
  'what is chosen of looks holds at once, in every window, and before the next page is painted',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    const other = await newWindow(page);
    await other.goto(`${beckon.base}/#/`);
    await expect(other.getByRole('article', { name: /SAM-1/ })).toBeVisible();

    await beckon.open(page, '#/settings/appearance');
    const press = (group: string, name: string) =>
      page
        .getByRole('radiogroup', { name: group })
        .getByRole('radio', { name, exact: true })
        .click();
    await press('Theme', 'Dark');
    await press('Density', 'Comfortable');
    await choose(page.getByLabel('Code font'), 'System');
    await press('Contrast', 'More');
    await press('Motion', 'Off');
    for (let size = 13; size < 16; size++)
      await page.getByRole('button', { name: 'Larger' }).click();
    const chosen = {
      theme: 'dark',
      text: '16',
      density: 'comfortable',
      code: 'system',
      contrast: 'more',
      motion: 'off',
    };
    await expect.poll(() => looks(other)).toEqual(chosen);
    expect(await style(other, 'body', 'font-size')).toBe('16px');
    expect(await style(other, '.card .mono, body', 'font-family')).not.toBe('');
    expect(await style(page, '.pulse', 'animation-name')).toBe('none');
    expect(await style(page, 'nav.rail a', 'height')).toMatch(/^41\.8/); // 34 of the design's, at 16 to 13

    // While nothing is known of the settings yet, it looks as it did.
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/rpc/Attach', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await expect(page.getByText('Connecting')).toBeAttached();
    expect(await looks(page)).toEqual(chosen);
    go();
    await expect(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible();
    expect(await looks(page)).toEqual(chosen);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('at the largest text and at the smallest nothing is cut off, and all can be pressed', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(...agents);
  const full = await openFull(beckon, page);
  for (const textSize of [20, 12]) {
    await beckon.call(page, 'SaveSettings', {
      ...settings,
      slots: 6,
      looks: { ...plain, textSize, density: textSize === 20 ? 'comfortable' : '' },
    });
    for (const screen of pages(full)) {
      await visit(beckon, page, screen);
      await expect.poll(() => style(page, 'body', 'font-size')).toBe(`${textSize}px`);
      await hittable(page, `${screen.name}, text of ${textSize} px`);
      expect
        .soft(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          `${screen.name}: sideways`,
        )
        .toBeLessThanOrEqual(0);
      const cut = await page
        .locator('.rail a, .bar h1, .btn')
        .evaluateAll((all) =>
          all
            .filter(
              (one) =>
                one.checkVisibility() &&
                !one.closest('.sr') &&
                one.scrollHeight > one.clientHeight + 2,
            )
            .map((one) => one.outerHTML.slice(0, 120)),
        );
      expect.soft(cut, `${screen.name}: text that does not fit its row`).toEqual([]);
    }
  }
});

test('the board leaves out what things cost, keeps who waits in place, and shows projects in colours of the person’s choice', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: Ask\ntext I look.\nask Which one? | Left | Right',
    'match: Work\ntext I work.\nread README.md\nsleep 60s',
  );
  await beckon.openWith(page, { title: 'Work first' }, { title: 'Ask second', policy: 'wait' });
  const running = page.getByRole('region', { name: /^Running/ }).getByRole('article');
  await expect(running.first()).toHaveAccessibleName(/^SAM-2, needs you/, {
    timeout: patience(20_000),
  });
  await expect(running.last()).toContainText('tokens');

  await beckon.open(page, '#/settings/appearance');
  const set = (name: string) => page.getByRole('switch', { name });
  for (const name of ['Show tokens and cost', 'Cards that need you first']) {
    await expect(set(name)).toBeChecked();
    await set(name).click();
    await expect(set(name)).not.toBeChecked();
  }
  await page.getByRole('button', { name: 'Colour of sample' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Teal' })).toBeChecked();
  await judge(page, 'colours of a project');
  await page.getByRole('menuitemradio', { name: 'Indigo' }).click();
  await expect(page.locator('nav.rail .proj .sq')).toHaveClass(/p3/);

  await beckon.open(page, '#/');
  await expect(running.first()).toHaveAccessibleName(/^SAM-1/);
  await expect(running.last()).toHaveAccessibleName(/^SAM-2, needs you/);
  await expect(running.first()).not.toContainText('tokens');
  await expect(running.first().locator('.sq')).toHaveClass(/p3/);
  await page.keyboard.press('Shift+F');
  const display = page.getByRole('dialog', { name: 'Display' });
  await expect(display.getByRole('button', { name: 'Labels' })).toBeVisible();
  await expect(
    display.getByRole('button', { name: 'Tokens' }),
    'what the settings leave out is not offered',
  ).toHaveCount(0);
});

test('more contrast is drawn where the system or the person asks for it, in both themes', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  const line = () => style(page, '.card', 'border-top-color');
  const before = await line();
  await page.emulateMedia({ contrast: 'more' });
  await expect.poll(line).not.toBe(before);
  expect(await looks(page)).toEqual({ contrast: 'more' });
  await page.emulateMedia({ contrast: 'no-preference' });
  await expect.poll(line).toBe(before);
  await beckon.call(page, 'SaveSettings', { ...settings, looks: { ...plain, contrast: 'more' } });
  await expect.poll(line).not.toBe(before);
  await judge(page, 'board, more contrast');
  await beckon.open(page, '#/settings/appearance');
  await judge(page, 'appearance, more contrast');
});

test('in forced colours one sees which looks are chosen, and at 200 % all of them', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/appearance');
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  for (const group of await page.getByRole('radiogroup').all()) {
    const [on, off] = await Promise.all(
      [true, false].map((checked) =>
        group
          .getByRole('radio', { checked })
          .first()
          .evaluate((one) => getComputedStyle(one).outlineStyle),
      ),
    );
    expect([on, off], (await group.getAttribute('aria-label')) ?? '').toEqual(['solid', 'none']);
  }
  expect(await style(page, '.set-nav a[aria-current]', 'outline-style')).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none' });

  await page.setViewportSize({ width: 720, height: 450 });
  for (const radio of await page.getByRole('radio').all()) {
    await radio.scrollIntoViewIfNeeded();
    await expect(radio).toBeInViewport({ ratio: 1 });
  }
  await hittable(page, 'appearance at 200 %');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});
