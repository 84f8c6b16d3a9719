import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const sheet = (page: Page) => page.getByRole('dialog', { name: /^Keys/ });

test(
  '? shows the keys of the screen one is on, and finds any other',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    await page.reload();
    await page.getByRole('article', { name: /^SAM-1/ }).focus();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys on the board' })).toBeVisible();
    await expect(sheet(page).getByRole('heading', { level: 3 })).toHaveText([
      'Card or selection: SAM-1',
      'Board',
      'Everywhere',
    ]);
    await judge(page, 'the sheet of keys');
    await page.keyboard.type('maximise');
    await expect(sheet(page).getByRole('heading', { level: 3 })).toHaveText([
      'Pane',
      'Session elsewhere',
    ]);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();
    await expect(
      page.getByRole('article', { name: /^SAM-1/ }),
      'the focus goes back',
    ).toBeFocused();

    await beckon.open(page, '#/inbox');
    await page.keyboard.press('?');
    await expect(sheet(page).getByRole('heading', { level: 3 })).toHaveText([
      'Question',
      'Inbox',
      'Everywhere',
    ]);
    await sheet(page).getByRole('radio', { name: 'All screens' }).click();
    await expect(sheet(page).getByRole('heading', { level: 3 }).first()).toHaveText('Everywhere');
    await expect(sheet(page).getByRole('heading', { level: 3 })).toHaveCount(24);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('?');
    await expect(page.getByRole('combobox'), 'in a field it is text').toHaveValue('?');
  },
);

test('at 200 % the sheet of keys is one column, and nothing of it is cut', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.setViewportSize({ width: 720, height: 450 });
  await page.reload();
  await page.getByRole('article', { name: /^SAM-1/ }).focus();
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeVisible();
  const lefts = await sheet(page)
    .locator('section')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  expect(new Set(lefts).size).toBeLessThanOrEqual(2);
  const cut = await sheet(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
  await expect(sheet(page).getByRole('textbox')).toBeInViewport();
});

test('a key that the browser keeps has a second way', async ({ page, start }) => {
  const beckon = await start('ask Which one? | Left | Right');
  await beckon.openWith(page, { title: 'One' });
  await expect(page).toHaveTitle('(1) Beckon');
  await page.getByRole('article', { name: /^SAM-1/ }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/#\/inbox\//);
  await page.keyboard.press('ControlOrMeta+b');
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  await page.keyboard.press('[');
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+,');
  await expect(page).toHaveURL(/#\/settings$/);
});

test('on the board one adds, edits, writes to, stops and goes beside by a key', async ({
  page,
  start,
}) => {
  const beckon = await start('text I work for a while.\nsleep 120s');
  const [work] = await beckon.openWith(
    page,
    { title: 'At work' },
    { title: 'Later', status: 'backlog' },
  );
  await page.reload();
  const card = (key: string) => page.getByRole('article', { name: new RegExp(`^${key}, `) });
  await expect(page.getByRole('article', { name: /^SAM-1, Running/ })).toBeVisible();
  await card('SAM-2').focus();
  await page.keyboard.press('Shift+L');
  await expect(card('SAM-1')).toBeFocused();
  await page.keyboard.press('Shift+H');
  await expect(card('SAM-2')).toBeFocused();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Title of the new task')).toBeFocused();
  await page.keyboard.type('Quickly');
  await page.keyboard.press('Enter');
  await expect(card('SAM-3')).toContainText('Quickly');
  await page.keyboard.type('At length');
  await page.keyboard.press('Shift+Enter');
  const title = page.getByRole('dialog').getByLabel('Title');
  await expect(title).toHaveValue('At length');
  await title.press('Escape');
  await expect(page.getByLabel('Title of the new task')).toBeFocused();
  await expect(page.getByLabel('Title of the new task')).toHaveValue('');
  await page.keyboard.press('Escape');
  await card('SAM-2').focus();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Later');
  await page.keyboard.press('Escape');
  await card('SAM-1').focus();
  await page.keyboard.press('m');
  await expect(page.getByLabel('Message to Claude')).toBeFocused();
  await beckon.open(page);
  await card('SAM-1').focus();
  await page.keyboard.press('ControlOrMeta+.');
  await expect
    .poll(async () => (await beckon.call<{ phase: string }[]>(page, 'Runs', work!.id))[0]?.phase, {
      timeout: patience(20_000),
    })
    .toBe('ended');
});

test('a key that somebody chose is theirs in every window, says what it clashes with, and can be reset', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/settings/keys');
  const row = (name: string) =>
    page.locator('.key-row', { has: page.getByText(name, { exact: true }) });
  const change = async (name: string, key: string) => {
    await row(name)
      .getByRole('button', { name: `Change “${name}”` })
      .click();
    await page.keyboard.press(key);
  };
  await change('Filter the board', 'n');
  await expect(row('Filter the board')).toContainText('Also “Write a task in Backlog” (Board)');
  await expect(row('Write a task in Backlog')).toContainText('Also “Filter the board” (Board)');
  await judge(page, 'keys of their own');
  await change('Filter the board', 'ControlOrMeta+c');
  await expect(row('Filter the board').getByRole('alert')).toContainText('is needed for text');
  await change('Filter the board', 'y');
  await expect(page.getByText(/^Also “/)).toHaveCount(0);
  await row('Inbox').getByRole('button', { name: 'Change “Inbox”' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await row('Archive').getByRole('button', { name: 'Change “Archive”' }).first().click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Press the keys' })).toHaveCount(0);

  await beckon.open(page, '#/');
  await page.reload();
  await expect(page.locator('header.bar').getByRole('button', { name: 'Filter' })).toContainText(
    'Y',
  );
  await page.getByRole('article', { name: /^SAM-1/ }).focus();
  await page.keyboard.press('y');
  await expect(page.getByRole('search', { name: 'Filter' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('article', { name: /^SAM-1/ }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await expect(page).toHaveURL(/#\/inbox/);

  await beckon.open(page, '#/settings/keys');
  await row('Filter the board').getByRole('button', { name: 'Reset “Filter the board”' }).click();
  await expect(row('Filter the board').getByRole('button')).toHaveText(/F$/);
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect(page.getByRole('button', { name: /^Reset/ })).toHaveCount(0);
});
