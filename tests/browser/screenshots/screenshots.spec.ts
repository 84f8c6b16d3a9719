import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { agents, kestrel, play } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

/** Saves the views of the pictures; returns the id of "Important". */
async function saveViews(beckon: Beckon, page: Page): Promise<string> {
  const display = { group: 'none', sort: 'manual', shows: ['labels', 'priority', 'time', 'spent', 'changes'], hideDone: false, hideEmpty: false };
  const save = (name: string, clauses: object[], look = display) => beckon.call<{ id: string }>(page, 'SaveView', { id: '', name, clauses, display: look, created: 0 });
  await save('Waiting for me', [{ field: 'waiting', not: false, values: ['you'] }]);
  await save('Stopped or failing', [{ field: 'state', not: false, values: ['stopped'] }]);
  await save('Ready to merge', [{ field: 'state', not: false, values: ['review'] }]);
  const clauses = [{ field: 'label', not: true, values: ['docs'] }, { field: 'priority', not: false, values: ['2', '3', '4'] }, { field: 'state', not: true, values: ['backlog'] }];
  return (await save('Important', clauses, { ...display, group: 'priority', hideDone: true })).id;
}

test.beforeEach(async ({ context }) => {
  // Where the data is tells of the machine that took the picture.
  await context.route('**/rpc/About', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), version: '0.1.0', dataDir: '/home/ada/.local/share/beckon' } });
  });
});

test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }));

test('the first run', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible();
  await take(page, 'first-run');
});

test('the first run of somebody with repositories', async ({ page, start }) => {
  const beckon = await start('text Done.');
  const log = (name: string, branch: string, subject: string, hours: number) => {
    const git = join(beckon.home, name, '.git/logs');
    mkdirSync(git, { recursive: true });
    const seconds = Math.floor(Date.now() / 1000) - hours * 3600;
    writeFileSync(join(git, '../HEAD'), `ref: refs/heads/${branch}\n`);
    writeFileSync(join(git, 'HEAD'), `${'0'.repeat(40)} ${'1'.repeat(40)} Mira <mira@acme.dev> ${seconds} +0000\tcommit: ${subject}\n`);
  };
  log('work/orchard', 'main', 'Fix rounding in invoices', 0.7);
  log('src/ledgerline', 'main', 'Import MT940', 26);
  log('src/atlas-docs', 'main', 'Typos', 6 * 24 + 1);
  log('dotfiles', 'master', 'vim: fewer plugins', 62 * 24);
  for (const [i, name] of ['kestrel', 'kestrel-docs', 'loom', 'notes'].entries()) log(`src/${name}`, 'main', 'Release', (70 + i) * 24);
  mkdirSync(join(beckon.home, 'src/keswick'));
  await beckon.open(page);
  await page.getByRole('combobox', { name: 'Folder' }).pressSequentially('~/src/kes');
  await expect(page.getByRole('option')).toHaveCount(3);
  await take(page, 'first-run-found');
});

test('the demo', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  await page.getByRole('button', { name: 'Try the demo here' }).click();
  const bar = page.getByRole('region', { name: 'Demo' });
  await expect(bar.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step', { timeout: 30_000 });
  const card = page.getByRole('article', { name: /KES-1, .*needs you/ });
  await expect(card).toBeVisible({ timeout: 30_000 });
  await card.focus();
  await take(page, 'board-demo');
});

test('a project at work', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { asks, review } = await play(beckon, page);
  await page.reload();
  await page.getByRole('article', { name: /KES-1,/ }).focus();
  await take(page, 'board');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys on the board' })).toBeVisible();
  await take(page, 'keys-sheet');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+K');
  await take(page, 'palette-at-first');
  await page.keyboard.type('rang');
  await take(page, 'palette');
  await page.getByRole('combobox', { name: 'Tasks and commands' }).fill('merge');
  await take(page, 'palette-actions');
  await page.keyboard.press('Escape');

  await page.getByRole('article', { name: /KES-7,/ }).focus();
  for (const key of ['x', 'Shift+J', 'Shift+J', 'l']) await page.keyboard.press(key);
  await page.keyboard.type('pe');
  await take(page, 'board-select');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  const important = await saveViews(beckon, page);
  await page.keyboard.press('f');
  await page.keyboard.type('label:perf ');
  await page.getByRole('button', { name: 'Change: Label is perf' }).click();
  await page.getByRole('option', { name: /^api/ }).click();
  await take(page, 'board-filter-add');
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);

  await page.getByRole('link', { name: /^Important/ }).click();
  await expect(page).toHaveURL(new RegExp(`${important}$`));
  await page.getByRole('button', { name: 'Remove: State is not Backlog' }).click();
  await page.getByRole('article', { name: /KES-1,/ }).focus();
  await page.keyboard.press('Shift+F');
  await take(page, 'board-filter');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Board', exact: true }).click();

  await page.getByRole('button', { name: /^New task/ }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Title').fill('Tell a shard that times out from one that is gone');
  await sheet.getByLabel('Brief').fill('Both look the same to the caller today.\n\n- A time-out keeps what the other shards gave\n- A shard that is gone fails the query\n- Ask before the wire format changes');
  await sheet.getByRole('combobox', { name: 'labels', exact: true }).fill('api,');
  await take(page, 'new-task');
  await page.keyboard.press('Escape');

  await beckon.open(page, `#/task/${asks.key}`);
  await expect(page.getByRole('group', { name: /treat ranges/ })).toBeVisible();
  await take(page, 'task');
  await beckon.open(page, `#/task/${review.key}/changes`);
  await expect(page.getByRole('region', { name: 'Changes' })).toBeVisible();
  await take(page, 'changes');
  await beckon.open(page, '#/inbox');
  await page.getByRole('link', { name: /treat ranges/ }).click();
  await expect(page.getByRole('group', { name: /treat ranges/ })).toBeVisible();
  await take(page, 'inbox');
  await beckon.open(page, '#/settings');
  await expect(page.getByRole('heading', { name: 'General' })).toBeVisible();
  await take(page, 'settings');

  await beckon.open(page, '#/settings/appearance');
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  await take(page, 'settings-appearance');
  await page.setViewportSize({ width: 720, height: 450 });
  await take(page, 'settings-appearance-200');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'active' });
  await take(page, 'settings-appearance-forced');
  await page.emulateMedia({ forcedColors: 'none' });

  for (const [name, layout] of [['2x2', '2 by 2'], ['3x2', '3 by 2'], ['3x3', '3 by 3']] as const) {
    await beckon.open(page, `#/mission/${asks.key}`);
    await page.getByRole('radio', { name: layout }).click();
    await page.getByRole('region', { name: new RegExp(`^${asks.key},`) }).focus();
    await take(page, `mission-${name}`);
  }

  await page.setViewportSize({ width: 960, height: 640 });
  await page.getByRole('radio', { name: '2 by 2' }).click();
  await page.getByRole('region', { name: new RegExp(`^${asks.key},`) }).focus();
  await take(page, 'mission-960x640');
  await beckon.open(page, '#/');
  await take(page, 'board-960x640');
  await beckon.open(page, `#/task/${asks.key}`);
  await take(page, 'task-960x640');
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('group', { name: /treat ranges/ })).toBeVisible();
  await take(page, 'inbox-960x640');
  await beckon.open(page, `#/task/${review.key}/changes`);
  await expect(page.getByRole('region', { name: 'Changes' })).toBeVisible();
  await take(page, 'changes-960x640');
  await page.setViewportSize({ width: 720, height: 450 });
  await take(page, 'changes-200');
});

test('a question that its pane cannot show whole', async ({ page, start }) => {
  const why = 'Three callers depend on the order of overlapping ranges: the dashboard, which sums them twice and shows the raw error; the nightly report, which joins them; and the exporter, which keeps the last. All three are changed with 2.0, and two of them by other teams. How should the parser treat ranges that overlap until then?';
  const options = ['Reject the query', 'Merge them into one range', 'Let the last one win', 'Run it, but warn'].map((label) => ({ label, description: `${label}, and say so in the log of the nightly report.` }));
  const beckon = await start(`match: overlap\nask_user ${JSON.stringify({ questions: [{ question: why, header: 'Overlaps', options }] })}`, ...agents);
  await play(beckon, page);
  await beckon.open(page, '#/mission/KES-1');
  await page.getByRole('radio', { name: '3 by 3' }).click();
  const card = page.getByRole('region', { name: /^KES-1,/ });
  await card.focus();
  await expect(card.locator('.ask.unseen')).toBeVisible();
  await page.keyboard.press('1');
  await expect(card.locator('.refused')).toBeVisible();
  await take(page, 'pane-unseen');
});
