import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { hittable } from '../support/targets';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const card = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key},`) });
const line = (page: Page) => page.getByRole('search', { name: 'Filter' });
const field = (page: Page) => line(page).getByRole('combobox', { name: 'Add a filter' });
const lane = (page: Page, name: string) =>
  page.getByRole('region', { name: new RegExp(`^${name},`) });
const shown = (page: Page) => page.locator('.card[data-task]');

/** A board with four cards in Backlog and one that asks. */
async function board(
  page: Page,
  start: (...scripts: string[]) => Promise<Beckon>,
): Promise<Beckon> {
  const beckon = await start('ask Which one? | Left | Right');
  await beckon.openWith(
    page,
    { title: 'Faster index', status: 'backlog', labels: ['perf', 'api'], priority: 3 },
    { title: 'Smaller index', status: 'backlog', labels: ['perf'], priority: 1 },
    { title: 'Write the guide', status: 'backlog', labels: ['docs'] },
    { title: 'Sort out dates', status: 'backlog', priority: 4 },
    { title: 'Ask me', labels: ['api'], priority: 2 },
  );
  await page.reload();
  await expect(page.locator('.card.needs')).toHaveCount(1);
  return beckon;
}

/** Saves a view of the cards with the label "docs". */
function saveDocs(beckon: Beckon, page: Page): Promise<{ id: string }> {
  return beckon.call(page, 'SaveView', {
    id: '',
    name: 'Docs',
    created: 0,
    clauses: [{ field: 'label', not: false, values: ['docs'] }],
    display: {
      group: 'label',
      sort: 'manual',
      shows: ['labels'],
      hideDone: true,
      hideEmpty: false,
    },
  });
}

test(
  'keys alone narrow the board, and J goes only to what is left',
  { tag: '@smoke' },
  async ({ page, start }) => {
    await board(page, start);
    await page.keyboard.press('f');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('pe');
    await expect(page.getByRole('option').first()).toHaveText(/perf\s*2/);
    await judge(page, 'offers of the filter line');
    await page.keyboard.press('Enter');
    await expect(shown(page)).toHaveCount(2);
    await expect(line(page)).toContainText('2 of 5');
    await expect(lane(page, 'Backlog')).toHaveAccessibleName('Backlog, 2 of 4 tasks');
    await expect(lane(page, 'Running')).toContainText('Nothing here matches. 1 hidden.');
    await expect(lane(page, 'Running'), 'who waits is counted though it is hidden').toContainText(
      '1 that needs you is hidden',
    );
    await judge(page, 'a filter');
    await hittable(page, 'a filter');

    await page.keyboard.type('p:high ');
    await expect(shown(page), 'a condition that is whole needs no Enter').toHaveCount(1);
    await page.keyboard.press('Backspace');
    await expect(shown(page)).toHaveCount(2);
    await page.keyboard.press('!');
    await expect(line(page).getByRole('group', { name: 'Label is not perf' })).toBeVisible();
    await expect(shown(page)).toHaveCount(3);
    await expect(card(page, 'SAM-3')).toBeVisible();
    await page.keyboard.press('!');

    await page.keyboard.press('Escape');
    await expect(field(page), 'a filled line stays when it is left').toBeVisible();
    await expect(field(page)).not.toBeFocused();
    const walked = new Set<string | null>();
    for (let i = 0; i < 4; i++) {
      walked.add(await page.locator('.card:focus').getAttribute('aria-label'));
      await page.keyboard.press('j');
    }
    expect(walked.size, 'J stays among the cards that are shown').toBe(2);
    await page.keyboard.press('Escape');
    await expect(line(page)).toBeHidden();
    await expect(shown(page)).toHaveCount(5);
  },
);

test('the mouse adds, widens, turns around and removes a condition', async ({ page, start }) => {
  await board(page, start);
  await page.locator('header.bar').getByRole('button', { name: 'Filter' }).click();
  await line(page)
    .getByRole('button', { name: /^Waiting/ })
    .click();
  await expect(shown(page)).toHaveCount(1);
  await expect(card(page, 'SAM-5')).toBeVisible();
  await line(page).getByRole('button', { name: 'Remove: Waiting' }).click();
  await expect(shown(page)).toHaveCount(5);

  await field(page).fill('label:docs');
  await page.getByRole('option', { name: /docs/ }).click();
  await expect(shown(page)).toHaveCount(1);
  await line(page).getByRole('button', { name: 'Change: Label is docs' }).click();
  const values = page.getByRole('listbox', { name: 'Label' });
  await expect(values.getByRole('option', { name: /docs/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await judge(page, 'values of a condition');
  await values.getByRole('option', { name: /api/ }).click();
  await expect(shown(page), 'the list stays open while values are ticked').toHaveCount(3);
  await expect(line(page).getByRole('group', { name: 'Label is any of docs, api' })).toBeVisible();
  await page.keyboard.press('!');
  await expect(shown(page)).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(values).toBeHidden();
  await expect(field(page), 'the focus goes back to the line').toBeFocused();
  await line(page).getByRole('button', { name: 'Clear' }).click();
  await expect(line(page)).toBeHidden();
  await expect(shown(page)).toHaveCount(5);
});

test('words find cards by title and key, and the count is said once it rests', async ({
  page,
  start,
}) => {
  await board(page, start);
  await page.keyboard.press('f');
  await page.keyboard.type('index');
  await page.keyboard.press('Enter');
  await expect(shown(page)).toHaveCount(2);
  await expect(page.locator('[aria-live="polite"]').first()).toContainText('2 of 5 tasks shown');
  await page.keyboard.type('sam-2');
  await page.keyboard.press('Enter');
  await expect(shown(page)).toHaveCount(1);
  await expect(card(page, 'SAM-2')).toBeVisible();
});

test('N writes a card without the mouse', async ({ page, start }) => {
  await board(page, start);
  await page.keyboard.press('n');
  await expect(page.getByRole('combobox', { name: 'Title of the new task' })).toBeFocused();
  await page.keyboard.type('One more');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-6')).toContainText('One more');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Add a task' })).toBeFocused();
});

test('each board has its own filter, and what is hidden is let go of', async ({ page, start }) => {
  await board(page, start);
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('toolbar', { name: '4 selected' })).toBeVisible();
  await page.keyboard.press('f');
  await page.keyboard.type('label:docs ');
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
  await page.getByRole('link', { name: /^sample/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('sample');
  await expect(shown(page)).toHaveCount(5);
  await page.goBack();
  await expect(shown(page)).toHaveCount(1);
});

test('the line shows its parts without colours of its own, and wraps in a narrow window', async ({
  page,
  start,
}) => {
  await board(page, start);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.keyboard.press('f');
  for (const word of ['label:perf ', 'p:high ', 'is:backlog ']) await page.keyboard.type(word);
  const border = await line(page)
    .getByRole('group')
    .first()
    .evaluate((chip) => getComputedStyle(chip).borderTopStyle);
  expect(border).toBe('solid');
  await page.keyboard.type('label:');
  const outlined = await page
    .locator('[role="option"].hl')
    .evaluate((row) => getComputedStyle(row).outlineStyle);
  expect(outlined, 'the row that Enter takes').toBe('solid');
  await page.keyboard.press('Escape');
  // 200 % of a window of 1280 is 640 wide.
  await page.setViewportSize({ width: 640, height: 480 });
  const box = (await line(page).boundingBox())!;
  for (const part of await line(page).locator('.fchip, input, .ends > *').all()) {
    const own = (await part.boundingBox())!;
    expect(own.x + own.width, 'nothing of the line is cut off').toBeLessThanOrEqual(
      box.x + box.width,
    );
    expect(own.y + own.height).toBeLessThanOrEqual(box.y + box.height);
  }
});

test('Shift F groups, orders and hides, and a reload keeps it', async ({ page, start }) => {
  await board(page, start);
  await page.keyboard.press('Shift+F');
  const display = page.getByRole('dialog', { name: 'Display' });
  await expect(display).toBeFocused();
  await judge(page, 'display');
  await hittable(page, 'display');
  await choose(display.getByLabel('Group by'), 'Priority');
  await choose(display.getByLabel('Sort by'), 'Newest first');
  await display.getByRole('button', { name: 'Labels' }).click();
  await display.getByRole('switch', { name: 'Hide Done' }).click();
  await page.keyboard.press('Escape');
  await expect(display).toBeHidden();
  await expect(page.getByRole('button', { name: 'Display' })).toBeFocused();
  const seen = async () => {
    await expect(lane(page, 'Backlog').locator('.lane-sub')).toHaveText([
      /^Urgent\s*1$/,
      /^High\s*1$/,
      /^Low\s*1$/,
      /^None\s*1$/,
    ]);
    await expect(shown(page).first()).toContainText('SAM-4');
    await expect(page.locator('.label')).toHaveCount(0);
    await expect(
      lane(page, 'Done').getByRole('button', { name: 'Done' }),
      'a folded column is opened by its name',
    ).toBeVisible();
    expect((await lane(page, 'Done').boundingBox())!.width).toBeLessThanOrEqual(40);
  };
  await seen();
  await judge(page, 'groups and a folded column');
  await page.reload();
  await seen();
  await lane(page, 'Done').getByRole('button', { name: 'Done' }).click();
  await expect(lane(page, 'Done').getByText(/^Merged or closed\./)).toBeVisible();
});

test('a card that is dropped in a grouped column stands among its own', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'Low one', status: 'backlog', priority: 1 },
    { title: 'High one', status: 'backlog', priority: 3 },
    { title: 'High two', status: 'backlog', priority: 3 },
  );
  await page.evaluate(() =>
    localStorage.setItem('beckon.display', JSON.stringify({ all: { group: 'priority' } })),
  );
  await page.reload();
  await expect(lane(page, 'Backlog').locator('.lane-sub')).toHaveCount(2);
  await card(page, 'SAM-2').focus();
  for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await expect(shown(page)).toHaveText([/SAM-3/, /SAM-2/, /SAM-1/]);
  await expect(card(page, 'SAM-2')).toBeFocused();
});

test(
  'a view is saved by keys, counted in the rail, followed in another window and opened by its link',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await board(page, start);
    const other = await newWindow(page);
    await other.goto(`${beckon.base}/`);
    await expect(shown(other)).toHaveCount(5);

    await page.keyboard.press('f');
    await page.keyboard.type('label:perf ');
    await line(page).getByRole('button', { name: 'Save view' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await judge(page, 'name of a view');
    await page.keyboard.type('Fast things');
    await page.keyboard.press('Enter');
    const rail = (one: Page) =>
      one.getByRole('navigation').getByRole('link', { name: /^Fast things/ });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fast things');
    await expect(shown(page)).toHaveCount(2);
    await expect(rail(page)).toHaveAttribute('aria-current', 'page');
    await expect(rail(page)).toContainText('2');
    await expect(rail(other), 'another window follows').toContainText('2');
    await judge(page, 'a view');

    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All projects');
    await expect(
      shown(page),
      'the view has the filter now, and the board is whole again',
    ).toHaveCount(5);
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('fast th');
    await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveText('Fast things');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fast things');
    await expect(shown(page)).toHaveCount(2);

    await page.reload();
    await expect(shown(page), 'it survives a reload, by its link').toHaveCount(2);
    await expect(line(page).getByRole('group', { name: 'Label is perf' })).toBeVisible();

    await line(page).getByRole('combobox').fill('p:high ');
    await expect(shown(page)).toHaveCount(1);
    await expect(rail(page)).toContainText('edited');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(rail(page)).not.toContainText('edited');
    await rail(other).click();
    await expect(shown(other), 'what was saved is followed').toHaveCount(1);

    await page.getByRole('button', { name: 'More for this view' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Faster');
    await page.keyboard.press('Enter');
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Faster');
    await page.getByRole('button', { name: 'More for this view' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All projects');
    await expect(shown(page)).toHaveCount(5);
    await expect(other.getByRole('navigation').getByRole('link', { name: /^Faster/ })).toBeHidden();
  },
);

test('the plus beside the views filters first, and then saves what is filtered', async ({
  page,
  start,
}) => {
  const beckon = await board(page, start);
  await saveDocs(beckon, page);
  const plus = page.getByRole('button', { name: 'New view' });
  await beckon.open(page, '#/');
  await plus.click();
  await expect(line(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('docs');
  await page.keyboard.press('Enter');
  await expect(shown(page)).toHaveCount(1);
  await plus.click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Writing');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Writing');
});

test('what was changed on a view is dropped when it is left, and its own look comes back', async ({
  page,
  start,
}) => {
  const beckon = await board(page, start);
  const { id } = await saveDocs(beckon, page);
  await beckon.open(page, `#/view/${id}`);
  await expect(shown(page)).toHaveCount(1);
  await expect(lane(page, 'Backlog').locator('.lane-sub')).toHaveText(/docs\s*1/);
  await line(page).getByRole('button', { name: 'Remove: Label is docs' }).click();
  await expect(shown(page)).toHaveCount(5);
  await page.getByRole('link', { name: 'Board', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All projects');
  await expect(page.locator('.lane-sub')).toHaveCount(0);
  await page.getByRole('link', { name: /^Docs/ }).click();
  await expect(shown(page)).toHaveCount(1);
  await beckon.kill();
  await beckon.serve();
  await beckon.open(page, `#/view/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Docs');
});

test('the palette saves a filter as a view, and changes, renames and deletes it', async ({
  page,
  start,
}) => {
  await board(page, start);
  const choose = async (words: string, line: string) => {
    // A name is on the page as soon as it is kept, and its dialog goes a moment later.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('ControlOrMeta+K');
    await expect(page.getByRole('combobox', { name: 'Tasks and commands' })).toBeFocused();
    await page.keyboard.type(words);
    await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveText(line);
    await page.keyboard.press('Enter');
  };
  const heading = page.getByRole('heading', { level: 1 });
  await page.keyboard.press('f');
  await page.keyboard.type('label:perf ');
  await expect(shown(page)).toHaveCount(2);
  await choose('>save v', 'Save view');
  await page.getByRole('textbox', { name: 'Name' }).fill('Fast');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Fast');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('p:high ');
  await expect(shown(page)).toHaveCount(1);
  await choose('>save ch', 'Save changes');
  await expect(page.getByRole('navigation')).not.toContainText('edited');
  await choose('>rename', 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Faster');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Faster');
  await choose('@fas', 'Faster');
  await choose('>delete v', 'Delete view');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(heading).toHaveText('All projects');
  await expect(shown(page)).toHaveCount(5);
});

test('a view is counted in the rail while cards change without a rest', async ({ page, start }) => {
  const beckon = await board(page, start);
  await saveDocs(beckon, page);
  const row = page.getByRole('navigation').getByRole('link', { name: /^Docs/ });
  await expect(row).toContainText('1');
  const moved = (await beckon.tasks(page)).find((task) => task.key === 'SAM-4')!;
  let rests = false;
  const moves = (async () => {
    for (let rank = 1000; !rests; rank++)
      await beckon.call(page, 'MoveTask', moved.id, 'backlog', rank);
  })();
  await beckon.addTask(page, moved.projectId, {
    title: 'Write the index of the guide',
    status: 'backlog',
    labels: ['docs'],
  });
  await expect(row).toContainText('2');
  rests = true;
  await moves;
});

test('the link of a view that was deleted says so', async ({ page, start }) => {
  const beckon = await board(page, start);
  await beckon.open(page, '#/view/gone');
  await expect(page.locator('header.bar')).toContainText('This view was deleted.');
  await expect(shown(page)).toHaveCount(5);
});

test('cards are found by the files that their work changed, and who changed too many is named', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: Parser\nwrite src/parse/header.go package parse\nwrite src/main.go package main\ntext Done.',
    'match: Guide\nwrite docs/guide.md Read\nwrite "src/\u202egpj.exe" x\ntext Done.',
    'match: Generate\nrun mkdir gen && touch $(seq -f gen/%g 101)\ntext Done.',
  );
  await beckon.openWith(
    page,
    { title: 'Parser' },
    { title: 'Guide' },
    { title: 'Generate', status: 'backlog' },
  );
  await expect(lane(page, 'Review').getByRole('article')).toHaveCount(2, {
    timeout: patience(20_000),
  });
  await page.reload();
  await expect(shown(page)).toHaveCount(3);
  await page.keyboard.press('f');
  await page.keyboard.type('file:src/p');
  await expect(page.getByRole('option').first()).toHaveText(/src\/parse\/\s*1/);
  await page.keyboard.press('Enter');
  await expect(shown(page)).toHaveCount(1);
  await expect(card(page, 'SAM-1')).toBeVisible();
  await page.keyboard.press('!');
  await expect(shown(page)).toHaveCount(2);
  await page.keyboard.press('Backspace');

  await page.keyboard.type('file:gpj');
  await expect(
    page.getByRole('option').nth(1),
    'a name that turns what follows around is spelled out',
  ).toContainText('U+202E');
  await page.keyboard.press('Enter');
  await expect(line(page).getByRole('group', { name: 'File is *gpj*' })).toBeVisible();
  await expect(card(page, 'SAM-2')).toBeVisible();
  await expect(shown(page)).toHaveCount(1);
  await expect(line(page)).not.toContainText('more files');
  await judge(page, 'a filter by files');

  const generate = (await beckon.tasks(page)).find((task) => task.key === 'SAM-3')!;
  await beckon.call(page, 'MoveTask', generate.id, 'running', 0);
  await expect(line(page)).toContainText('1 task changed more files than are searched', {
    timeout: patience(20_000),
  });
});
