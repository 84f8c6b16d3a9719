import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, openMission, pane } from '../support/mission';
import { agents as fullAgents, openFull } from '../support/sample';
import { missions, pages, type Screen, visit } from '../support/screens';
import { patience } from '../support/patience';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Tasks and commands' });
const options = (page: Page) => dialog(page).getByRole('option');
const chosen = (page: Page) => dialog(page).locator('[role="option"][aria-selected="true"]');
const card = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key}, `) });

/** Opens the palette by its key, once the page is there, and types. */
async function ask(page: Page, text = '') {
  await page.keyboard.press('ControlOrMeta+K');
  await expect(dialog(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
}

test(
  'a task is found by its key, its title and its label, an archived one too, and opened',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    const [, , old] = await beckon.openWith(
      page,
      { title: 'Bound memory in the iterator', status: 'backlog' },
      { title: 'Split the handler', status: 'backlog', labels: ['merge-first'] },
      { title: 'Merge shards', status: 'backlog' },
    );
    await beckon.call(page, 'MoveTask', old!.id, 'archived', 0);
    await expect(card(page, 'SAM-3')).toBeHidden();
    await ask(page, 'merge');
    await expect(options(page).first()).toContainText('Merge shards');
    await expect(options(page).first()).toContainText(/Archived/);
    await expect(options(page).nth(1)).toContainText('label: merge-first');
    await expect(dialog(page).getByRole('status').first()).toContainText('2 tasks');
    await judge(page, 'the palette');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/task\/SAM-3$/);
    await ask(page, '1');
    await expect(chosen(page)).toContainText('SAM-1');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/task\/SAM-1$/);
    await ask(page);
    await expect(options(page).first(), 'what was used last comes first').toContainText('SAM-1');
    await page.keyboard.press('ControlOrMeta+K');
    await expect(dialog(page)).toBeHidden();
  },
);

test('what has the focus is changed, moved and put away from the palette, and the focus goes on', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'First', status: 'backlog' },
    { title: 'Second', status: 'backlog' },
    { title: 'Third', status: 'backlog' },
  );
  await page.reload();
  await card(page, 'SAM-2').focus();
  await ask(page, 'priority');
  await expect(dialog(page).getByRole('group', { name: 'On SAM-2, Second' })).toBeVisible();
  await expect(chosen(page)).toContainText('Priority…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Priority of SAM-2' })).toBeFocused();
  await page.keyboard.type('hi');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await beckon.tasks(page)).find((task) => task.key === 'SAM-2'))
    .toMatchObject({ priority: 3 });
  await expect(card(page, 'SAM-2')).toBeFocused();

  await ask(page, 'top of');
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('region', { name: /^Backlog/ })
      .getByRole('article')
      .first(),
  ).toHaveAttribute('aria-label', /^SAM-2/);
  await expect(card(page, 'SAM-2')).toBeFocused();
  await ask(page, 'move to queued');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await beckon.tasks(page)).find((task) => task.key === 'SAM-2')?.status)
    .not.toBe('backlog');

  await card(page, 'SAM-1').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await ask(page, '>');
  const many = dialog(page).getByRole('group', { name: '2 selected' });
  await expect(many.getByRole('option')).toContainText([
    'Queue',
    'Label',
    'Priority',
    'Archive',
    'Clear',
    'Model',
    'Answer window',
    'Duplicate',
    'Delete',
  ]);
});

test('words that find nothing become a task, or a search of the sessions', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.reload();
  await ask(page, 'Bound the cache');
  await options(page).filter({ hasText: 'New task “Bound the cache”' }).click();
  await expect(page.getByRole('dialog', { name: /New task/ }).getByLabel('Title')).toHaveValue(
    'Bound the cache',
  );
  await page.keyboard.press('Escape');
  await ask(page, 'quantum');
  await options(page).filter({ hasText: 'Search sessions for “quantum”' }).click();
  await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toHaveValue('quantum');
});

test('labels, projects and commands have a sign each, and Tab asks what can be done to a task', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'Parse ranges', status: 'backlog', labels: ['parser'] },
    { title: 'Other', status: 'backlog', labels: ['perf'] },
  );
  await page.reload();
  await ask(page, '#par');
  await expect(options(page)).toHaveText(/parser/);
  await page.keyboard.press('Enter');
  await expect(options(page)).toHaveText(/Parse ranges/);
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'SAM-1' })).toBeVisible();
  await expect(options(page).filter({ hasText: 'Edit…' })).toBeVisible();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('@sam');
  await expect(options(page)).toHaveText(/sample/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/project\/SAM$/);
  await ask(page, '>privacy');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/settings\/privacy$/);
});

test('the palette says what Mod Z takes back and what is done again, and does it', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('a');
  await expect(card(page, 'SAM-1')).toBeHidden();
  await ask(page, 'undo');
  await expect(chosen(page)).toContainText('Undo: archived SAM-1');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-1')).toBeVisible();
  await ask(page, 'redo');
  await expect(chosen(page)).toContainText('Redo: archived SAM-1');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-1')).toBeHidden();
});

test('every line of a menu and every button of a bar is a line of the palette', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const [work] = await openMission(beckon, page, ['Work one', 'Finish two'], 4);
  // What is about a single place in sight, or is this list itself, has no line.
  const without =
    /^(Search|Back to the board|More|Collapse sidebar|Expand sidebar|Only show them|Install the hook.*|Uninstall.*|All projects|Messages|SAM-\d.*)$/;
  const have = async (where: string, names: string[]) => {
    expect(names.length, where).toBeGreaterThan(0);
    await ask(page);
    for (const name of names.filter((one) => !without.test(one))) {
      await dialog(page).getByRole('combobox').fill(`>${name}`);
      await expect(options(page).filter({ hasText: name }), `${where}: ${name}`).not.toHaveCount(0);
    }
    await page.keyboard.press('Escape');
  };

  await pane(page, work!.key).focus();
  await have(
    'the bar of Mission Control',
    await namesOf(page.locator('.mission .bar .seg [role="radio"]')),
  );
  await pane(page, work!.key).focus();
  await have(
    'the menu of a pane',
    await menu(page, pane(page, work!.key).locator('[aria-haspopup="menu"]').first()),
  );
  for (const task of await beckon.tasks(page)) {
    await beckon.open(page, `#/task/${task.key}`);
    await have(
      `the menu of ${task.key}`,
      await menu(page, page.locator('header.bar [aria-haspopup="menu"]')),
    );
    await have(`the bar of ${task.key}`, await namesOf(page.locator('header.bar > .end > button')));
    await have(`the tabs of ${task.key}`, await namesOf(page.getByRole('tab')));
  }
  await beckon.open(page, '#/settings');
  await have('the settings', await namesOf(page.locator('.set-nav a')));
  await beckon.open(page, '#/archive');
  await have('the archive', await namesOf(page.locator('header.bar [role="radio"]')));
  await beckon.open(page, '#/inbox');
  await have('the Inbox', await namesOf(page.locator('header.bar button')));
  await beckon.open(page, '#/'); // elsewhere the rail has no words
  await have(
    'the rail',
    await namesOf(page.locator('nav.rail > a, nav.rail .rail-foot a, nav.rail h2 button')),
  );
  await have(
    'the board',
    await namesOf(page.locator('header.bar > button, header.bar .actions > button')),
  );
  const view = await beckon.call<{ id: string }>(page, 'SaveView', {
    id: '',
    name: 'Docs',
    created: 0,
    clauses: [{ field: 'label', not: false, values: ['docs'] }],
    display: { group: 'none', sort: 'manual', shows: [], hideDone: false, hideEmpty: false },
  });
  await beckon.open(page, `#/view/${view.id}`);
  await have(
    'the menu of a view',
    await menu(page, page.getByRole('button', { name: 'More for this view' })),
  );
});

/** What has no line, by where it is, and why. */
const unlisted: Record<string, string> = {
  '.skip': 'it is for who comes by Tab, before anything has the focus',
  '[role="log"]': 'an entry of the session is pointed at, and has a menu of its own',
  '.ask, .q-detail':
    'a question is answered where its options are read, and its keys are lines where it has the focus',
  'nav.rail': 'its places and projects are lines everywhere, without what they count',
  'a.next': 'it is the line that answers next',
  '[data-task] h3, [data-task] .pane-title': 'a title opens its task, which is found by it',
  '.agents, .q-list, .qh tbody, .by-task tbody':
    'a row leads to one of many, which are found by their titles and by J and K',
  '[aria-haspopup="menu"]': 'what its menu lists are lines',
  '.quick, .lane-head, .empty': 'N writes a task in Backlog',
  'header.bar a[aria-label="Back to the board"]': 'the board is a line everywhere',
  '[aria-current="page"]': 'it is where one is',
  '[role="radio"][aria-checked="true"]': 'it is so',
  '.filehead .path': 'the name of a file does what Edit beside it does, which is a line',
  '.diff-file, .diff': 'the keys of Changes are about the current file, and are lines',
};

/** What can be pressed on a screen: how it is called, and the key that it names. */
function controlsOf(page: Page): Promise<{ name: string; keys: string }[]> {
  return page.evaluate((without) => {
    const words = (of: Element) => {
      const copy = of.cloneNode(true) as Element;
      copy
        .querySelectorAll('kbd, select, [aria-hidden="true"], .count, .badge')
        .forEach((part) => part.remove());
      return copy.textContent ?? '';
    };
    const name = (one: HTMLElement) =>
      one.getAttribute('aria-label') ??
      ([...((one as HTMLInputElement).labels ?? [])].map(words).join(' ') || words(one));
    return [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], select, input:not([type="file"]), textarea',
      ),
    ]
      .filter(
        (one) =>
          one.getClientRects().length > 0 &&
          !one.matches(':disabled') &&
          one.closest(without) === null,
      )
      .map((one) => ({
        name: name(one).replace(/\s+/g, ' ').replace(/…$/, '').trim(),
        keys: one.getAttribute('aria-keyshortcuts') ?? '',
      }));
  }, Object.keys(unlisted).join(', '));
}

/** The lines for what has the focus, each with its key. */
async function linesOf(page: Page): Promise<string[]> {
  await ask(page, '>');
  await expect(dialog(page).locator('.foot .kbd').first()).toBeVisible();
  const lines = await options(page).evaluateAll((all) => all.map((one) => one.textContent ?? ''));
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  return lines;
}

/** Holds what is on a screen against the palette there, also once all of it has come; what a screen has only with the focus on a part of it is asked for there. */
async function walk(page: Page, where: string, parts: Locator): Promise<void> {
  await expect.poll(() => unlistedOn(page, parts), { message: where }).toEqual([]);
}

/** The controls of a screen that the palette has no line for. */
async function unlistedOn(page: Page, parts: Locator): Promise<{ name: string; keys: string }[]> {
  const lines = await linesOf(page);
  for (const part of await parts.all()) {
    await part.focus();
    lines.push(...(await linesOf(page)));
  }
  return (await controlsOf(page)).filter(
    ({ name, keys }) =>
      name === '' ||
      !lines.some((line) => line.includes(name) || (keys !== '' && line.endsWith(capOf(keys)))),
  );
}

/** A key as its cap is drawn in a line, where a control names it as assistive technology does. */
const capOf = (keys: string) => keys.split('+').at(-1)!;

test('every control of every screen has a line, or a reason why not', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...fullAgents);
  const full = await openFull(beckon, page);
  const parts: Partial<Record<string, string>> = {
    board: '.card',
    'board of a project': '.card',
    [missions[2]!.name]: '.pane',
  };
  const screens: (Screen & { layout?: number })[] = [...pages(full), missions[2]!];
  for (const screen of screens) {
    await visit(beckon, page, screen);
    await walk(page, screen.name, page.locator(parts[screen.name] ?? 'never'));
  }
});

test('what a control of the page would set is set from the palette', async ({ page, start }) => {
  const beckon = await start('text In the chat: ${message}.');
  const [task] = await beckon.openWith(page, { title: 'Look around', status: 'backlog' });
  const take = async (words: string, line: string) => {
    await ask(page, words);
    await expect(chosen(page)).toContainText(line);
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeHidden();
  };
  await take('theme: dark', 'Theme: Dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await take('text size: larger', 'Text size: Larger');
  await expect(page.locator('html')).toHaveAttribute('data-text', '14');
  await take('hide done', 'Hide Done: turn on');
  await expect(page.getByRole('button', { name: /^Done/ })).toBeVisible();
  await take('hide done', 'Hide Done: turn off');
  await expect(page.getByRole('region', { name: /^Done/ })).toBeVisible();

  await beckon.open(page, `#/task/${task!.key}`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const controls = page.getByRole('group', { name: 'How Claude works' });
  await expect(controls).toBeVisible({ timeout: patience(20_000) });
  await take('permissions: plan', 'Permissions: Plan');
  await expect(controls).toContainText('Plan');
  await take('model: sonnet', 'Sonnet');
  await expect(controls).toContainText('Sonnet');

  await beckon.open(page, '#/settings/notifications');
  const soon = page.getByRole('switch', { name: 'When a clock is about to run out' });
  await expect(soon).toBeVisible();
  await take(
    'when a clock is about to run out: turn',
    'When a clock is about to run out: turn off',
  );
  await expect(soon).not.toBeChecked();
  await take('a plan waits: badge', 'A plan waits: Badge only');
  await expect(page.getByRole('combobox', { name: 'A plan waits' })).toContainText('Badge only');
});

test('Mod Enter does the first thing to the task that is found, and the foot says what that is', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.reload();
  await ask(page, 'later');
  await expect(chosen(page)).toContainText('SAM-1');
  await expect(dialog(page).locator('.foot')).toContainText('Start');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect
    .poll(async () => (await beckon.tasks(page))[0]!.status, { timeout: patience(20_000) })
    .not.toBe('backlog');
});

test('what only keys do is a line too, and presses them', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'First', status: 'backlog' },
    { title: 'Second', status: 'backlog' },
  );
  await page.reload();
  await card(page, 'SAM-1').focus();
  await ask(page, '>next or previous card');
  await expect(
    dialog(page).getByRole('group', { name: 'Keys of this screen' }).getByRole('option'),
  ).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-2')).toBeFocused();
  await ask(page, '>select the card');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
});

/** What controls are called, without their keys and counts. */
async function namesOf(controls: Locator): Promise<string[]> {
  await expect(controls.first()).toBeVisible();
  return controls.evaluateAll((all) =>
    all
      .map((one) => {
        const copy = one.cloneNode(true) as Element;
        copy.querySelectorAll('kbd, .count, .badge, .sr').forEach((part) => part.remove());
        return (one.getAttribute('aria-label') ?? copy.textContent ?? '')
          .replaceAll(' ', ' ')
          .trim();
      })
      .filter((name) => name !== ''),
  );
}

async function menu(page: Page, button: Locator): Promise<string[]> {
  await button.click();
  const names = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return names.map((name) => name.trim());
}

test('Search finds tasks by their titles and labels, above what was said, archived ones too', async ({
  page,
  start,
}) => {
  const beckon = await start('text I looked at the iterator.');
  const [, old] = await beckon.openWith(
    page,
    { title: 'Say it' },
    { title: 'Bound the iterator', status: 'backlog', labels: ['perf'] },
  );
  await beckon.call(page, 'MoveTask', old!.id, 'archived', 0);
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toBeVisible({
    timeout: patience(20_000),
  });
  const query = { text: 'iterator', projectId: '', taskId: '', kind: '', before: '', limit: 5 };
  await expect
    .poll(async () => (await beckon.call<{ hits: unknown[] }>(page, 'Search', query)).hits.length, {
      timeout: patience(20_000),
    })
    .toBe(1);
  await page.keyboard.press('ControlOrMeta+Shift+F');
  const sheet = page.getByRole('dialog', { name: 'Search all sessions' });
  await expect(sheet.getByRole('combobox', { name: 'Search all sessions' })).toBeFocused();
  await page.keyboard.type('iterator');
  await expect(sheet.getByRole('group', { name: '1 task' }).getByRole('option')).toContainText(
    'Bound the iterator',
  );
  await expect(sheet.getByRole('listbox').getByRole('option')).toHaveCount(2);
  await judge(page, 'tasks above what was said');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-2$/);
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await expect(sheet.getByRole('listbox').getByRole('option')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/session\//);
});
