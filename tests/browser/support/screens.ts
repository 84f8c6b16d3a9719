// Every screen of a full board, and what opens over them, for the tests that
// look at all of them. Nothing here reads the page's language.
import { expect, type Locator, type Page } from '@playwright/test';
import type { Beckon } from './beckon';
import type { Full } from './sample';
import { settle } from './settle';

/** A screen, and what tells that it is there. */
export interface Screen {
  name: string;
  hash: string;
  shows: string;
  /** Opens what lies over the page; Escape closes it. */
  over?: (page: Page) => Promise<void>;
}

const sheet = 'dialog[open]';
const menu = '[role="menu"]';
const panel = '[role="dialog"].popover';
const session = '[role="log"] .virtual-row';
const composer = '.composer textarea';

/** The pages that stand on their own. */
export function pages({ ask, work, finish, fail }: Full): Screen[] {
  return [
    { name: 'board', hash: '#/', shows: '.card.needs' },
    { name: 'board of a project', hash: '#/project/SAM', shows: '.card.needs' },
    { name: 'session that asks', hash: `#/task/${ask.key}`, shows: session },
    { name: 'session at work', hash: `#/task/${work.key}`, shows: session },
    { name: 'session that stopped', hash: `#/task/${fail.key}`, shows: '.stop' },
    { name: 'changes', hash: `#/task/${finish.key}/changes`, shows: '.diff' },
    { name: 'questions', hash: `#/task/${ask.key}/questions`, shows: '.qh tbody tr' },
    { name: 'runs', hash: `#/task/${fail.key}/runs`, shows: 'tbody tr' },
    { name: 'inbox', hash: '#/inbox', shows: '.q-list' },
    { name: 'archive', hash: '#/archive', shows: '.nothing, tbody tr' },
    { name: 'decisions', hash: '#/decisions', shows: '.ledger .dec, .ledger .says' },
    { name: 'numbers', hash: '#/numbers', shows: '.measures' },
    { name: 'settings', hash: '#/settings', shows: '.set-in h1' },
    { name: 'agents', hash: '#/settings/agents', shows: '.set-in .agt .who' },
    { name: 'executors', hash: '#/settings/executors', shows: '.set-in .exec' },
    { name: 'appearance', hash: '#/settings/appearance', shows: '.set-in h1' },
    { name: 'notifications', hash: '#/settings/notifications', shows: '.set-in h1' },
    {
      name: 'settings of sessions elsewhere',
      hash: '#/settings/elsewhere',
      shows: '.set-in [role="group"] .btn',
    },
    { name: 'remote answers', hash: '#/settings/remote', shows: '.set-in .fld' },
    { name: 'privacy', hash: '#/settings/privacy', shows: '.priv tbody tr' },
    { name: 'keys', hash: '#/settings/keys', shows: '.set-in h1' },
    { name: 'about', hash: '#/settings/about', shows: '.set-in .product' },
    { name: 'settings of a project', hash: '#/settings/SAM', shows: '.set-in h1' },
  ];
}

/** What opens over the pages. */
export function overlays({ ask, work, finish, fail }: Full): Screen[] {
  const opening = (
    name: string,
    key: string,
    button: (page: Page) => Locator,
    shows: string,
  ): Screen => ({
    name,
    hash: `#/task/${key}`,
    shows,
    over: async (page) => {
      await expect(page.locator(session).first()).toBeVisible();
      await page.getByRole('log').hover();
      // A menu closes when what it belongs to scrolls, as it may for the click.
      await button(page).scrollIntoViewIfNeeded();
      await settle(page);
      await button(page).click();
    },
  });
  return [
    {
      name: 'new task',
      hash: '#/',
      shows: sheet,
      over: (page) => page.locator('header.bar .btn.primary').click(),
    },
    { name: 'search', hash: '#/', shows: `${sheet} [role="option"]`, over: search },
    {
      name: 'palette',
      hash: '#/',
      shows: `${sheet} [role="option"]`,
      over: (page) => page.keyboard.press('ControlOrMeta+K'),
    },
    {
      name: 'keys of the screen',
      hash: '#/',
      shows: `${sheet} dl`,
      over: (page) => page.keyboard.press('?'),
    },
    {
      name: 'import',
      hash: '#/',
      shows: `${sheet} textarea`,
      over: (page) => page.keyboard.press('Shift+N'),
    },
    opening(
      'menu of a task',
      ask.key,
      (page) => page.locator('header.bar [aria-haspopup="menu"]'),
      menu,
    ),
    opening(
      'menu of a row',
      ask.key,
      (page) => page.locator(`${session} [aria-haspopup="menu"]`).first(),
      menu,
    ),
    opening(
      'places to go to',
      ask.key,
      (page) => page.locator('.aids [aria-haspopup="menu"]'),
      menu,
    ),
    opening(
      'find bar',
      finish.key,
      (page) => page.locator('.aids button').first(),
      '[role="search"] input',
    ),
    {
      name: 'menu of a run',
      hash: `#/task/${fail.key}/runs`,
      shows: menu,
      over: (page) => page.locator('.one [aria-haspopup="menu"]').click(),
    },
    opening(
      'context',
      work.key,
      (page) => page.locator('.controls [aria-haspopup="dialog"]').last(),
      `${panel} ul`,
    ),
    opening(
      'tool servers',
      work.key,
      (page) => page.locator('.controls [aria-haspopup="dialog"]').first(),
      `${panel} ul`,
    ),
    {
      name: 'the kinds of executors',
      hash: '#/settings/executors',
      shows: menu,
      over: (page) => page.locator('.set-in .add button').click(),
    },
    {
      name: 'a host',
      hash: '#/settings/executors',
      shows: `${sheet} form input`,
      over: (page) => addKind(page, 0),
    },
    {
      name: 'a cluster',
      hash: '#/settings/executors',
      shows: `${sheet} form input`,
      over: (page) => addKind(page, 2),
    },
    {
      name: 'the token of a bot',
      hash: '#/settings/remote',
      shows: `${sheet} input`,
      over: (page) => page.locator('.set-in > section:last-of-type .fld .btn').first().click(),
    },
    {
      name: 'where the hook sends to',
      hash: '#/settings/privacy',
      shows: `${sheet} input`,
      over: (page) => page.locator('.priv .acts button').first().click(),
    },
    {
      name: 'the hook',
      hash: '#/settings/elsewhere',
      shows: `${sheet} .diff`,
      over: (page) => page.locator('.set-in [role="group"] .btn').click(),
    },
    {
      name: 'sessions elsewhere',
      hash: '#/mission',
      shows: `${panel} .listing`,
      over: (page) => page.locator('.bar [aria-haspopup="dialog"]').click(),
    },
    {
      name: 'commands, above a queue',
      hash: `#/task/${work.key}`,
      shows: '[role="listbox"] [role="option"]',
      over: queueAndComplete,
    },
  ];
}

/** Opens the form of a kind of executor. */
async function addKind(page: Page, kind: number): Promise<void> {
  await page.locator('.set-in .add button').click();
  await page.getByRole('menuitem').nth(kind).click();
}

/** Mission Control in its layouts. */
export const missions = [9, 6, 4].map((layout) => ({
  name: `Mission Control, ${layout} panes`,
  hash: '#/mission',
  shows: '.pane',
  layout,
}));

/** Shows a screen and waits until it is there and at rest. */
export async function visit(
  beckon: Beckon,
  page: Page,
  screen: Screen & { layout?: number },
): Promise<void> {
  if (screen.layout)
    await beckon.call(page, 'SaveMission', {
      layout: screen.layout,
      panes: [],
      removed: [],
      maximised: '',
    });
  await beckon.open(page, screen.hash);
  await screen.over?.(page);
  await expect(page.locator(screen.shows).first(), screen.name).toBeVisible();
  await settle(page);
}

/** Closes what a screen opened over the page. */
export async function leave(page: Page, screen: Screen): Promise<void> {
  if (!screen.over) return;
  await page.keyboard.press('Escape');
  await expect(page.locator(screen.shows), `${screen.name} closes`).toHaveCount(0);
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.locator(`${sheet} input[role="combobox"]`).fill('parts');
}

async function queueAndComplete(page: Page): Promise<void> {
  const field = page.locator(composer);
  if (!(await page.locator('.queue li').first().isVisible())) {
    await field.fill('Then look at the rest');
    await field.press('Alt+Enter');
    await expect(page.locator('.queue li')).toHaveCount(1);
  }
  await field.focus();
  await field.fill('');
  await page.keyboard.type('/');
}
