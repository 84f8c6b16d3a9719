import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';

/** Holds a part of the page back until it is let go. */
async function holdBack(page: Page, part: RegExp): Promise<() => void> {
  let go = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route(part, async (route) => {
    await gone;
    await route.continue();
  });
  return go;
}

const card = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key}, `) });

test('what is typed while the palette or Search is still fetched is in its field, and nothing of it is done to a card', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  for (const [part, key, name] of [
    [/assets\/Palette-.*\.js/, 'ControlOrMeta+K', 'Tasks and commands'],
    [/assets\/Search-.*\.js/, 'ControlOrMeta+Shift+F', 'Search all sessions'],
  ] as const) {
    const go = await holdBack(page, part);
    await page.reload();
    await card(page, 'SAM-1').focus();
    await page.keyboard.press(key);
    await page.keyboard.type('aqx'); // each would change the card
    await page.keyboard.press('Backspace');
    await page.keyboard.type(' late');
    await expect(page.getByRole('dialog')).toBeHidden();
    go();
    await expect(page.getByRole('dialog').getByRole('combobox', { name })).toHaveValue('aq late');
    await page.keyboard.type('r');
    await expect(page.getByRole('dialog').getByRole('combobox', { name })).toHaveValue('aq later');
    await page.keyboard.press('Escape');
    await expect(card(page, 'SAM-1')).toBeFocused();
    await page.unroute(part);
  }
  expect((await beckon.tasks(page))[0]).toMatchObject({ status: 'backlog', labels: [] });
});

test('what is typed before the page has its tasks finds them once they are here', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  const go = await holdBack(page, /rpc\/Attach$/);
  await page.reload();
  const palette = page.getByRole('dialog', { name: 'Tasks and commands' });
  await page.keyboard.press('ControlOrMeta+K');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('later');
  await expect(palette.getByRole('option').first()).toContainText('New task');
  go();
  await expect(palette.getByRole('option', { selected: true })).toContainText('SAM-1');
});

test('Esc calls the palette off while it is still fetched', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  const go = await holdBack(page, /assets\/Palette-.*\.js/);
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('later');
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await expect(
    page.getByRole('toolbar', { name: '1 selected' }),
    'keys are the page’s again',
  ).toBeVisible();
  go();
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('');
});

test('a label that is typed while the list is still fetched is given to the card', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'Later', status: 'backlog' },
    { title: 'Other', status: 'backlog', labels: ['perf'] },
  );
  const go = await holdBack(page, /assets\/(?:Bulk|Choose)-.*\.js/);
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('l');
  await page.keyboard.type('pe');
  await page.keyboard.press('Enter');
  go();
  await expect(card(page, 'SAM-1')).toContainText('perf');
  expect((await beckon.tasks(page)).find((one) => one.key === 'SAM-1')).toMatchObject({
    priority: 0,
    labels: ['perf'],
  });
});

test('a condition that is typed while the filter is still fetched narrows the board', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'Later', status: 'backlog' },
    { title: 'Other', status: 'backlog', labels: ['perf'] },
  );
  const go = await holdBack(page, /assets\/engine-.*\.js/);
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('f');
  await page.keyboard.type('label:perf oth');
  await page.keyboard.press('Enter');
  go();
  await expect(page.getByRole('group', { name: 'Label is perf' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveText([/Other/]);
  await page.keyboard.press('Escape');
  await expect(card(page, 'SAM-2')).toBeFocused();
});
