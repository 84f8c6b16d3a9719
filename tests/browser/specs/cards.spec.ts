import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { Repo, sample } from '../support/repo';
import { hittable } from '../support/targets';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

interface Card {
  id: string;
  key: string;
  title: string;
  status: string;
  labels: string[];
  priority: number;
}

const said = (page: Page) => page.getByRole('region', { name: 'Messages' });
const bar = (page: Page, n: number) => page.getByRole('toolbar', { name: `${n} selected` });
const card = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key},`) });
const titles = [
  'Sharded index',
  'Bitmap spans',
  'Merge iterator',
  'Retry budget',
  'Import statements',
];

async function cards(beckon: Beckon, page: Page): Promise<Map<string, Card>> {
  const all = (await beckon.tasks(page)) as unknown as Card[];
  return new Map(all.map((one) => [one.key, one]));
}

/** Fails where the focus is nowhere. */
async function focused(page: Page, where: string): Promise<void> {
  expect(await page.evaluate(() => document.activeElement !== document.body), where).toBe(true);
}

test('a held queue starts nothing, says so, and starts again when it is let go', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Waits', status: 'backlog' });
  const queue = page.getByRole('region', { name: /^Queued/ });
  const hold = queue.getByRole('button', { name: 'Hold the queue' });
  await hold.click();
  await expect(hold).toHaveAttribute('aria-pressed', 'true');
  await expect(queue).toContainText('On hold');
  await judge(page, 'a held queue');
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('q');
  await expect(queue.getByRole('article', { name: /^SAM-1/ })).toBeVisible();
  await page.reload();
  await expect(hold).toHaveAttribute('aria-pressed', 'true');
  await expect(queue.getByRole('article', { name: /^SAM-1/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('resume the q');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toBeVisible({
    timeout: patience(20_000),
  });
});

test('the model and the answer window of a card have a key each', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('Shift+M');
  await expect(page.getByRole('combobox', { name: 'Model of SAM-1' })).toBeFocused();
  await page.keyboard.type('haiku');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-1')).toBeFocused();
  await page.keyboard.press('w');
  await expect(page.getByRole('combobox', { name: 'Answer window of SAM-1' })).toBeFocused();
  await page.keyboard.type('until you answer');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await cards(beckon, page)).get('SAM-1'))
    .toMatchObject({ model: 'haiku', policy: 'wait' });
});

test('the brief of a task names files that are found as they are typed, of the project that is chosen', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Other', status: 'backlog' });
  await card(page, 'SAM-1').waitFor();
  for (const key of ['c', 'e']) {
    await card(page, 'SAM-1').focus();
    await page.keyboard.press(key);
    const sheet = page.getByRole('dialog', { name: /New task|Edit the task/ });
    const brief = sheet.getByLabel('Brief');
    await brief.focus();
    await page.keyboard.type('/ See @gre');
    const files = sheet.getByRole('listbox', { name: 'Files' });
    await expect(files.getByRole('option')).toHaveText([/greet\.ts/]);
    await judge(page, 'files that are offered');
    await page.keyboard.press('Escape');
    await expect(files).toBeHidden();
    await expect(brief).toBeFocused();
    await page.keyboard.type(', @read');
    await expect(files.getByRole('option')).toHaveText([/README\.md/]);
    await page.keyboard.press('Enter');
    await expect(brief).toHaveValue('/ See @gre, @README.md ');
    await page.keyboard.type('and @gr');
    await files.getByRole('option', { name: /greet/ }).click();
    await expect(brief).toHaveValue('/ See @gre, @README.md and @src/greet.ts ');
    await expect(brief).toBeFocused();
    await page.keyboard.press('Escape');
    if (key === 'e') await page.keyboard.press('Control+Enter'); // what was changed is not left by Esc
    await expect(sheet).toBeHidden();
  }
  await expect
    .poll(async () => (await cards(beckon, page)).get('SAM-1'))
    .toMatchObject({ brief: '/ See @gre, @README.md and @src/greet.ts ' });
});

test(
  'a task that is to start after another says so, is offered no circle, and starts once that is merged',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('write made.txt made\ntext Done.');
    await beckon.openWith(
      page,
      { title: 'Lay the ground' },
      { title: 'Elsewhere', status: 'backlog' },
    );
    await expect(card(page, 'SAM-1')).toHaveAccessibleName(/Review/, { timeout: patience(20_000) });
    await card(page, 'SAM-1').focus();
    await page.keyboard.press('c');
    const sheet = page.getByRole('dialog', { name: /New task/ });
    await sheet.getByLabel('Title').fill('Build on it');
    await sheet.getByRole('combobox', { name: 'Starts after' }).focus();
    await page.keyboard.type('ground');
    await expect(
      page.getByRole('listbox', { name: 'Starts after' }).getByRole('option'),
    ).toHaveText([/SAM-1/]);
    await judge(page, 'tasks that are offered to wait for');
    await page.keyboard.press('Enter');
    await expect(sheet).toContainText('Starts when SAM-1 is done.');
    await page.keyboard.press('Control+Enter');
    await expect(sheet).toBeHidden();
    await expect(card(page, 'SAM-3')).toHaveAccessibleName(/Queued/);
    await expect(card(page, 'SAM-3')).toContainText('After SAM-1');

    const first = (await beckon.tasks(page)).find((one) => one.key === 'SAM-1');
    await beckon.open(page, '#/task/SAM-1');
    const brief = page.getByRole('complementary', { name: 'Task' });
    await expect(brief).toContainText(/Blocks\s*SAM-3/);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByRole('combobox', { name: 'Starts after' }).click();
    await expect(
      page.getByRole('listbox', { name: 'Starts after' }).getByRole('option'),
      'what waits for it is not offered',
    ).toHaveText([/SAM-2/]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await brief.getByRole('link', { name: 'SAM-3' }).click();
    await expect(brief).toContainText(/After\s*SAM-1/);

    await beckon.call(page, 'Merge', first!.id);
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('Done.', {
      timeout: patience(20_000),
    });
    await expect(brief).not.toContainText('After');
  },
);

test('a task that is to start at a time is held until then, and says when that is', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Other', status: 'backlog' });
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: /New task/ });
  await sheet.getByLabel('Title').fill('At night');
  await sheet.getByRole('button', { name: 'Start at a time' }).click();
  const field = sheet.getByLabel('Starts at').last();
  await expect(field).toBeFocused();
  const year = new Date().getFullYear() + 1;
  await field.fill(`${year}-03-02T22:05`);
  await expect(sheet).toContainText(/Starts at 2 Mar 22:05|Starts at Mar 2 22:05/);
  await judge(page, 'a time to start at');
  await page.keyboard.press('Control+Enter');
  await expect(sheet).toBeHidden();
  await expect(card(page, 'SAM-2')).toHaveAccessibleName(/Queued/);
  await expect(card(page, 'SAM-2')).toContainText(/Starts at .*22:05/);
  await page.reload();
  await expect(card(page, 'SAM-2')).toContainText(/Starts at .*22:05/);

  await card(page, 'SAM-2').focus();
  await page.keyboard.press('e');
  const edit = page.getByRole('dialog', { name: /Edit the task/ });
  await expect(edit.getByLabel('Starts at').last()).toHaveValue(`${year}-03-02T22:05`);
  await edit.getByRole('button', { name: 'Start at any time' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(card(page, 'SAM-2'), 'nothing holds it any more').toHaveAccessibleName(/Review/, {
    timeout: patience(20_000),
  });
});

test('labels of a new task are chips, found as they are typed and taken back by Backspace', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Other', status: 'backlog', labels: ['perf'] });
  await page.reload();
  await card(page, 'SAM-1').waitFor();
  await page.keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: /New task/ });
  await sheet.getByLabel('Title').fill('Bound the cache');
  const field = sheet.getByRole('combobox', { name: 'labels', exact: true });
  await field.focus();
  await page.keyboard.type('pe');
  await expect(page.getByRole('listbox', { name: 'labels' }).getByRole('option')).toHaveText([
    'perf',
    /pe/,
  ]);
  await judge(page, 'labels that are offered');
  await page.keyboard.press('Enter');
  await page.keyboard.type('good first,docs');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('button', { name: /^Remove/ })).toHaveCount(3);
  await page.keyboard.press('Backspace');
  await expect(sheet.getByRole('button', { name: 'Remove docs' })).toBeHidden();
  await page.keyboard.type('half');
  await page.keyboard.press('Control+s');
  await expect(sheet).toBeHidden();
  await expect
    .poll(async () => (await cards(beckon, page)).get('SAM-2'))
    .toMatchObject({ labels: ['perf', 'good first', 'half'] });
});

test(
  'five cards are labelled, weighed and put away by keys alone, and taken back',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(
      page,
      ...titles.map((title) => ({
        title,
        status: 'backlog' as const,
        labels: title.startsWith('Merge') ? ['perf'] : [],
      })),
      { title: 'Left alone', status: 'backlog', labels: ['persons'] },
    );
    await page.reload(); // nothing has the focus, nor is there a first card to write
    await card(page, 'SAM-6').waitFor();
    await page.keyboard.press('j');
    await expect(card(page, 'SAM-1')).toBeFocused();
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+J');
    await expect(bar(page, 5)).toBeVisible();
    await expect(card(page, 'SAM-5')).toBeFocused();
    await judge(page, 'five cards selected');
    await hittable(page, 'five cards selected');

    await page.keyboard.press('l');
    const field = page.getByRole('combobox', { name: 'Labels of 5 tasks' });
    await expect(field).toBeFocused();
    await field.fill('per');
    await expect(page.getByRole('option').first()).toContainText('on 1 of 5');
    await judge(page, 'labels of five cards');
    await page.keyboard.press('Enter');
    await expect(card(page, 'SAM-5'), 'the focus goes back').toBeFocused();
    await expect(said(page)).toContainText('Labelled 5 tasks');
    await expect(card(page, 'SAM-1')).toContainText('perf');
    await page.keyboard.press('p');
    await page.keyboard.type('hi');
    await page.keyboard.press('Enter');
    await expect(said(page)).toContainText('Changed the priority of 5 tasks');
    let now = await cards(beckon, page);
    for (const key of ['SAM-1', 'SAM-3', 'SAM-5'])
      expect(now.get(key)).toMatchObject({ labels: ['perf'], priority: 3 });
    expect(now.get('SAM-6')).toMatchObject({ labels: ['persons'], priority: 0 });

    await page.keyboard.press('a');
    await expect(card(page, 'SAM-1')).toBeHidden();
    await expect(card(page, 'SAM-6'), 'the next card has the focus').toBeFocused();
    await expect(bar(page, 5)).toBeHidden();
    for (const change of [
      'archived 5 tasks',
      'changed the priority of 5 tasks',
      'labelled 4 tasks',
    ]) {
      // one had it already
      await page.keyboard.press('Control+z');
      await expect(said(page)).toContainText(`Undone: ${change}`);
      await focused(page, change);
    }
    await page.keyboard.press('Control+Shift+z');
    await expect(said(page)).toContainText('Redone: labelled 4 tasks');
    await page.reload(); // it is kept where a restart keeps it
    await card(page, 'SAM-1').focus();
    await page.keyboard.press('Control+Shift+z');
    await expect(said(page)).toContainText('Redone: changed the priority of 5 tasks');
    expect((await cards(beckon, page)).get('SAM-5')).toMatchObject({
      labels: ['perf'],
      priority: 3,
      status: 'backlog',
    });
    for (const change of ['changed the priority of 5 tasks', 'labelled 4 tasks']) {
      await page.keyboard.press('Control+z');
      await expect(said(page)).toContainText(`Undone: ${change}`);
    }
    now = await cards(beckon, page);
    for (const key of ['SAM-1', 'SAM-5'])
      expect(now.get(key)).toMatchObject({ labels: [], priority: 0, status: 'backlog' });
    expect(now.get('SAM-3')).toMatchObject({ labels: ['perf'] });
  },
);

test('a selection is made and let go with the mouse and with Esc', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, ...titles.map((title) => ({ title, status: 'backlog' as const })));
  await card(page, 'SAM-2').hover();
  await card(page, 'SAM-2').getByRole('checkbox', { name: 'Select SAM-2' }).click();
  await card(page, 'SAM-4').click({ modifiers: ['ControlOrMeta'] });
  await expect(bar(page, 2)).toBeVisible();
  await bar(page, 2).getByRole('button', { name: 'Queue' }).waitFor();
  await page.keyboard.press('Control+a');
  await expect(bar(page, 5)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar')).toBeHidden();
  await expect(card(page, 'SAM-4')).toBeFocused();

  await page.keyboard.press('F2');
  const title = page.getByRole('textbox', { name: 'Title of SAM-4' });
  await expect(title).toBeFocused();
  await title.fill('Retry less');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-4')).toContainText('Retry less');
  await expect(card(page, 'SAM-4')).toBeFocused();
  await page.keyboard.press('x');
  await bar(page, 1).getByRole('button', { name: 'More for the selection' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('region', { name: /^Backlog, 6 tasks/ })).toContainText('Retry less');
  await said(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('region', { name: /^Backlog, 5 tasks/ })).toBeVisible();
  await focused(page, 'after the toast went');
});

test('what was archived before a crash is taken back after it', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'Kept', status: 'backlog' },
    { title: 'Put away', status: 'backlog' },
  );
  await page.reload();
  await card(page, 'SAM-2').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(card(page, 'SAM-2')).toBeFocused();
  await page.keyboard.press('a');
  await expect(said(page)).toContainText('Archived SAM-2');
  await beckon.kill();
  await beckon.serve();
  await beckon.open(page);
  await expect(card(page, 'SAM-1')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(card(page, 'SAM-2')).toContainText('Put away');
  await expect(said(page)).toContainText('Undone: archived SAM-2');
  await page.keyboard.press('Control+z');
  await expect(said(page)).toContainText('Nothing to undo');
});

test('a label is given a colour by keys, in every window, over a restart', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Count', status: 'backlog', labels: ['perf'] });
  const mark = (of: Page) => of.getByRole('article', { name: /^SAM-1/ }).locator('.label .ld');
  const other = await newWindow(page);
  await other.goto(`${beckon.base}/`);
  const tone = async (of: Page) =>
    (await mark(of).count()) === 0
      ? 0
      : Number(/\bp(\d)/.exec((await mark(of).getAttribute('class'))!)![1]);
  await expect(card(page, 'SAM-1')).toBeVisible();
  const before = await tone(page);
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('l');
  await expect(page.getByRole('option', { name: 'perf' })).toBeVisible();
  await page.keyboard.press('Shift+Space');
  await expect.poll(() => tone(page)).toBe((before + 1) % 5);
  await page.keyboard.press('Shift+Space');
  await expect.poll(() => tone(page)).toBe((before + 2) % 5);
  await expect.poll(() => tone(other)).toBe((before + 2) % 5);
  await page.keyboard.press('Escape');
  await expect(card(page, 'SAM-1')).toBeFocused();
  expect((await cards(beckon, page)).get('SAM-1'), 'the card stays as it is').toMatchObject({
    labels: ['perf'],
  });
  await beckon.kill();
  await beckon.serve();
  await beckon.open(page);
  await expect.poll(() => tone(page)).toBe((before + 2) % 5);
});

test('twelve pasted lines become twelve cards after one question', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const field = page.getByRole('combobox', { name: 'Title of the new task' });
  await field.click();
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    Array.from({ length: 12 }, (_, i) => `- [ ] Step ${i + 1}`).join('\n'),
  );
  await page.keyboard.press('Control+v');
  const asks = page.getByRole('dialog', { name: 'Add 12 tasks?' });
  await expect(asks).toBeVisible();
  await judge(page, 'lines that become cards');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: /^Backlog, 12 tasks/ })).toContainText('Step 12');
  await expect(asks).toBeHidden();
  await expect(said(page)).toContainText('Added 12 tasks');
  await said(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('region', { name: /^Backlog, 0 tasks/ })).toBeVisible();
});

test('of more lines than are added at once none is lost', async ({ page, start }) => {
  test.slow(); // a thousand cards are made
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('combobox', { name: 'Title of the new task' }).click();
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    Array.from({ length: 1002 }, (_, i) => `- Step ${i + 1}`).join('\n'),
  );
  await page.keyboard.press('Control+v');
  const asks = page.getByRole('dialog', { name: 'Add 1,000 tasks?' });
  await expect(asks).toContainText(
    '2 lines stay here for the next time: 1,000 tasks are added at once.',
  );
  await page.keyboard.press('Control+Enter');
  const again = page.getByRole('dialog', { name: 'Add 2 tasks?' });
  await expect(again.getByRole('textbox')).toHaveValue('Step 1001\nStep 1002', {
    timeout: patience(60_000),
  });
  await page.keyboard.press('Control+Enter');
  await expect(again).toBeHidden();
  await expect(page.getByRole('region', { name: /^Backlog, 1,002 tasks/ })).toBeVisible();
});

test('a card goes to another project by keys and comes back, and what was worked on stays', async ({
  page,
  start,
}) => {
  const beckon = await start('write new.txt hello');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' }, { title: 'Worked on' });
  await beckon.call(page, 'AddProject', {
    dir: Repo.make(dirname(beckon.repo.dir), { ...sample, name: 'lantern' }).dir,
    name: 'lantern',
    key: 'LNT',
    base: 'main',
    trusted: true,
  });
  await expect(page.getByRole('article', { name: /^SAM-2, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  for (const key of ['SAM-1', 'SAM-2']) {
    await card(page, key).focus();
    await page.keyboard.press('x');
  }
  await bar(page, 2).getByRole('button', { name: 'More for the selection' }).click();
  await page.getByRole('menuitem', { name: 'Project…' }).click();
  await page.keyboard.type('lan');
  await judge(page, 'the project of two cards');
  await page.keyboard.press('Enter');
  await expect(said(page)).toContainText(
    'Moved LNT-1 to another project. 1 of 2 unchanged (SAM-2)',
  );
  await expect(said(page)).toContainText('SAM-2 was worked on in its project');
  await expect(card(page, 'LNT-1')).toContainText('Later');
  await page.keyboard.press('Control+z');
  await expect(card(page, 'SAM-1')).toContainText('Later');
});

test('a card is split into tasks like it, and all of them get a model and are queued at once', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, {
    title: 'Do it all',
    brief: '- Parse it\n- Print it',
    status: 'backlog',
    labels: ['perf'],
    priority: 3,
  });
  await page.reload();
  await card(page, 'SAM-1').focus();
  await page.keyboard.press('x');
  await bar(page, 1).getByRole('button', { name: 'More for the selection' }).click();
  await page.getByRole('menuitem', { name: 'Split…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Split SAM-1' });
  await expect(sheet.getByRole('textbox', { name: 'One task per line' })).toHaveValue(
    'Parse it\nPrint it',
  );
  await judge(page, 'a card that is split');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(said(page)).toContainText('Added 2 tasks');
  await expect(card(page, 'SAM-3')).toBeVisible();
  const now = await cards(beckon, page);
  for (const key of ['SAM-2', 'SAM-3'])
    expect(now.get(key)).toMatchObject({ labels: ['perf'], priority: 3, status: 'backlog' });
  expect([now.get('SAM-1')!.title, now.get('SAM-2')!.title, now.get('SAM-3')!.title]).toEqual([
    'Do it all',
    'Parse it',
    'Print it',
  ]);

  for (const key of ['SAM-2', 'SAM-3']) {
    await card(page, key).focus();
    await page.keyboard.press('x');
  }
  await bar(page, 3).getByRole('button', { name: 'More for the selection' }).click();
  await page.getByRole('menuitem', { name: 'Model…' }).click();
  await page.keyboard.type('hai');
  await page.keyboard.press('Enter');
  await expect(said(page)).toContainText('Changed the model of 3 tasks');
  for (const task of await beckon.tasks(page)) expect(task).toMatchObject({ model: 'haiku' });
  await bar(page, 3).getByRole('button', { name: 'Queue' }).click();
  await expect(said(page)).toContainText('Queued 3 tasks');
  await expect(bar(page, 3)).toBeHidden();
  await expect
    .poll(
      async () => (await beckon.tasks(page)).filter((task) => task.status === 'review').length,
      { timeout: patience(30_000) },
    )
    .toBe(3);
});

test('a line on the board of all projects goes into the project that is chosen there', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'First', status: 'backlog' });
  await beckon.call(page, 'AddProject', {
    dir: Repo.make(dirname(beckon.repo.dir), { ...sample, name: 'lantern' }).dir,
    name: 'lantern',
    key: 'LNT',
    base: 'main',
    trusted: true,
  });
  await beckon.open(page);
  await page.keyboard.press('n');
  const line = page.getByLabel('Title of the new task');
  await page.keyboard.press('Tab');
  const project = page.getByRole('combobox', { name: 'Project' });
  await expect(project, 'the line stays while it is empty').toBeFocused();
  await choose(project, 'lantern');
  await line.fill('Light it');
  await line.press('Enter');
  await expect(card(page, 'LNT-1')).toContainText('Light it');
  await judge(page, 'the line for a card of a chosen project');
  const chosen = (await project.getAttribute('value'))!;
  await line.fill('And more');
  await line.press('Shift+Enter');
  const sheet = page.getByRole('dialog', { name: /New task/ });
  await expect(sheet.getByRole('combobox', { name: 'Project' })).toHaveAttribute('value', chosen);
});

test('words of the line say label, priority, project and what the card waits for, and Mod Enter queues it', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'First', status: 'backlog', labels: ['perf', 'parser'] });
  await page.reload();
  await expect(card(page, 'SAM-1')).toBeVisible();
  await page.keyboard.press('n');
  const line = page.getByLabel('Title of the new task');
  await expect(line).toBeFocused();
  await page.keyboard.type('Catch #p');
  const list = page.getByRole('listbox', { name: 'What this word may mean' });
  await expect(list.getByRole('option')).toHaveText(['parser', 'perf']);
  await judge(page, 'the words of a new card');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(list).toBeHidden();
  await expect(line).toHaveValue('Catch ');
  await page.keyboard.type('overlaps !high >sam-1');
  await expect(list.getByRole('option')).toContainText(['SAM-1']);
  await page.keyboard.press('Escape');
  await expect(list, 'Esc shuts the list first').toBeHidden();
  await page.keyboard.type(' #412');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(card(page, 'SAM-2')).toContainText('Catch overlaps #412');
  await expect(line).toHaveValue('');
  const now = await cards(beckon, page);
  expect(now.get('SAM-2')).toMatchObject({
    labels: ['perf'],
    priority: 3,
    status: 'queued',
    after: now.get('SAM-1')!.id,
  });
});
