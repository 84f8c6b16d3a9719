import type { Page } from '@playwright/test';
import { type Beckon, newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';

const asking = `
text I look around first.
sleep 3s
ask_user {"questions":[{"question":"Who is greeted?","header":"Audience","options":[{"label":"The world","description":"Everybody at once"},{"label":"One person","description":"By name"}]}]}
write who.txt \${answer}
text Done, for \${answer}.
`;

test(
  'a task goes from a folder on the disk to an answered question by keys alone',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(asking);
    await beckon.open(page);
    await addProject(page, beckon);
    await leaveQuickAdd(page);
    await newTask(page, 'Greet somebody');
    await liftToRunning(page);

    const card = page.getByRole('article', { name: /SAM-1, Running/i });
    await expect(card).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Session' })).toBeVisible();
    await expect(page.getByRole('group', { name: /Who is greeted/ })).toBeVisible();
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('2');
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('Done, for');
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('One person');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText(
      'Greet somebody',
    );
    await expect(page.getByRole('article', { name: /SAM-1/ })).toBeFocused();
  },
);

test('a menu is worked by arrows, letters and Tab, as menus are', async ({ page, start }) => {
  const beckon = await start('text Done.');
  const [task] = await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, `#/task/${task!.key}`);
  const button = page.locator('header.bar [aria-haspopup="menu"]');
  const items = page.getByRole('menu').getByRole('menuitem');
  await button.focus();
  await page.keyboard.press('ArrowUp');
  await expect(items.last()).toBeFocused();
  await page.keyboard.type('ed');
  await expect(items.filter({ hasText: /^Edit/ })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(items).toHaveCount(0);
  await expect(button).not.toBeFocused();
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(items).toHaveCount(0);
  await expect(button).toBeFocused();
});

async function addProject(page: Page, beckon: Beckon) {
  await expect(page.getByRole('button', { name: 'Add a project' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type(beckon.repo.dir);
  const sheet = page.getByRole('dialog', { name: 'Add a project' });
  await expect(sheet).toContainText('Git repository');
  await tabTo(page, sheet.getByLabel('Key'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('sam');
  await tabTo(page, sheet.getByLabel('Trust this project'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
}

/** An empty board begins in the line for quick tasks. */
async function leaveQuickAdd(page: Page) {
  await expect(page.getByLabel('Title of the new task')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Title of the new task')).toBeHidden();
}

async function newTask(page: Page, title: string) {
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: /New task/ }).getByLabel('Title')).toBeFocused();
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await page.keyboard.type('In a *friendly* way.');
  await page.keyboard.press('ControlOrMeta+S');
  // The card may be there before the form, which still has the keys, has gone.
  await expect(page.getByRole('dialog', { name: /New task/ })).toBeHidden();
  await expect(page.getByRole('region', { name: /^Backlog, 1 task/ })).toContainText(title);
}

async function liftToRunning(page: Page) {
  await page.keyboard.press('j');
  await expect(page.getByRole('article', { name: /SAM-1/ })).toBeFocused();
  await page.keyboard.press('Space');
  const said = page.locator('[aria-live="assertive"]');
  await expect(said).toContainText('SAM-1 lifted. Backlog, 1 of 1');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('Queued, 1 of 1');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('Running, 1 of 1');
  await page.keyboard.press('Space');
  await expect(page.getByRole('region', { name: /^Running, 1 task/ })).toContainText(
    'Greet somebody',
  );
}

/** Tabs until the element has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['getByLabel']>) {
  for (let i = 0; i < 20; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('a card that is lifted by mistake goes back where it was', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'First', status: 'backlog' },
    { title: 'Second', status: 'backlog' },
  );
  const second = page.getByRole('article', { name: /SAM-2/ });
  await second.focus();
  for (const key of ['Space', 'ArrowUp', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
  await expect(
    page.getByRole('region', { name: /^Backlog, 2 tasks/ }).getByRole('article'),
  ).toHaveText([/First/, /Second/]);
  await expect(second).toBeFocused();
});

test('a new task is queued by Mod Enter and starts', async ({ page, start }) => {
  const beckon = await start('text Nothing to do.');
  await beckon.openWith(page);
  await leaveQuickAdd(page);
  await page.keyboard.press('c');
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused();
  await page.keyboard.type('Look around');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Look around');
});

for (const own of [true, false]) {
  test(`a long brief is read to its end in the form, ${own ? 'whose fields the browser grows' : 'whose fields the page grows'}`, async ({
    page,
    start,
  }) => {
    if (!own) {
      await page.addInitScript(() => {
        // as WebKitGTK before 2.52
        const supports = CSS.supports.bind(CSS);
        CSS.supports = (name: string, value?: string) =>
          name !== 'field-sizing' && (value === undefined ? supports(name) : supports(name, value));
      });
    }
    const beckon = await start('text Nothing to do.');
    await beckon.openWith(page);
    await leaveQuickAdd(page);
    await page.keyboard.press('c');
    const brief = page.getByRole('textbox', { name: 'Brief' });
    await brief.fill(Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n'));
    await brief.hover();
    await page.mouse.wheel(0, -5000);
    await expect.poll(() => brief.evaluate((field) => field.scrollTop)).toBe(0);
    await page.mouse.wheel(0, 5000);
    await expect
      .poll(
        () => brief.evaluate((field) => field.scrollHeight - field.clientHeight - field.scrollTop),
        'nothing is left below',
      )
      .toBeLessThan(2);
    expect(
      await brief.evaluate((field) => field.clientHeight),
      'the form keeps its bounds',
    ).toBeLessThan(500);
  });
}

test('digits are text while the person types, and answers everywhere else', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right');
  const [task] = await beckon.openWith(page, { title: 'Choose' });
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.waitForTimeout(newcomer);

  await page.keyboard.press('m');
  const composer = page.getByLabel('Message to Claude');
  await expect(composer).toBeFocused();
  await page.keyboard.type('12');
  await expect(composer).toHaveValue('12');
  expect((await beckon.questions(page, task!))[0]!.settlement).toBe('open');

  await page.getByRole('button', { name: 'Expand sidebar' }).focus();
  await page.keyboard.press('1');
  await expect
    .poll(async () => (await beckon.questions(page, task!))[0]!.answer?.items)
    .toEqual([{ labels: ['Left'], other: '' }]);
});

test('Tab goes through every page and comes back, and so does Shift Tab', async ({
  page,
  start,
}) => {
  const beckon = await start('write new.txt text\nask Which one? | Left | Right');
  const [task] = await beckon.openWith(
    page,
    { title: 'Choose' },
    { title: 'Later', status: 'backlog' },
  );
  await expect.poll(async () => (await beckon.questions(page, task!)).length).toBe(1);
  for (const hash of [
    '#/',
    `#/task/${task!.key}`,
    `#/task/${task!.key}/changes`,
    `#/task/${task!.key}/runs`,
    '#/inbox',
    '#/settings',
  ]) {
    await beckon.open(page, hash);
    if (hash.endsWith('/changes'))
      await expect(page.getByRole('region', { name: 'Changes', exact: true })).toBeVisible();
    if (hash.endsWith(task!.key))
      await expect(page.getByRole('list', { name: 'Largest changes' })).toBeVisible(); // with a link
    await page.waitForTimeout(300);
    for (const key of ['Tab', 'Shift+Tab']) {
      const { stops, missed } = await cycle(page, key);
      expect(stops, `${key} on ${hash} stops at something`).toBeGreaterThan(5);
      expect(missed, `${key} on ${hash} misses nothing`).toEqual([]);
    }
  }
});

/** What a page notes of a walk through its stops. */
type Walk = Window & { walk?: { over: AbortController; stops: number; again: boolean } };

/** Presses key until a stop comes again; returns how many there were and which the page has besides. */
async function cycle(page: Page, key: string): Promise<{ stops: number; missed: string[] }> {
  await page.evaluate(() => {
    const here = window as Walk;
    here.walk?.over.abort();
    document
      .querySelectorAll('[data-stop]')
      .forEach((element) => element.removeAttribute('data-stop'));
    (document.activeElement as HTMLElement | null)?.blur();
    const walk: NonNullable<Walk['walk']> = (here.walk = {
      over: new AbortController(),
      stops: 0,
      again: false,
    });
    let last: EventTarget | null = null;
    // Each stop is noted as it comes. The browser itself brings the focus that left the page in at
    // its other end, a moment after the key: who looks between two keys may miss that stop.
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target === last) return;
      last = target;
      if (target.hasAttribute('data-stop')) walk.again = true;
      else target.setAttribute('data-stop', String(walk.stops++));
    };
    document.addEventListener('focusin', note, { signal: walk.over.signal });
  });
  for (
    let presses = 0;
    presses < 120 && !(await page.evaluate(() => (window as Walk).walk!.again));
    presses++
  )
    await page.keyboard.press(key);
  const stops = await page.evaluate(() => (window as Walk).walk!.stops);
  const missed = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, [tabindex="0"]',
    );
    const may = [...all].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(':disabled') &&
        element.checkVisibility({ visibilityProperty: true }),
    );
    return may
      .filter((element) => !element.hasAttribute('data-stop'))
      .map((element) => element.outerHTML.slice(0, 120));
  });
  return { stops, missed };
}
