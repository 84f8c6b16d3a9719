import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';

const agent = 'write src/new.txt hello';
const undone = (page: Page) => page.getByRole('region', { name: 'Messages' });
const rows = (page: Page) =>
  page.getByRole('region', { name: 'Archived, closed and discarded tasks' }).getByRole('row');

test('an archived card is found and restored with the mouse', async ({ page, start }) => {
  const beckon = await start(agent);
  await beckon.openWith(
    page,
    { title: 'Merge shards', status: 'backlog' },
    { title: 'Try a bitmap index', status: 'backlog' },
  );
  for (const key of ['SAM-1', 'SAM-2']) await archive(beckon, page, key);
  await page.goto(`${beckon.base}/#/`);
  await page
    .getByRole('region', { name: /^Done/ })
    .getByRole('link', { name: '2 archived' })
    .click();

  await expect(rows(page).filter({ hasText: 'SAM-' }).nth(0), 'the last one first').toContainText(
    'Try a bitmap index',
  );
  await expect(rows(page).filter({ hasText: 'SAM-1' })).toContainText(
    /sample.*Merge shards.*Archived by you, \d\d:\d\d.*kept permanently/,
  );
  await page.getByRole('textbox', { name: 'Search the archive' }).fill('shards');
  await expect(rows(page).filter({ hasText: 'SAM-2' })).toBeHidden();
  await page.getByRole('button', { name: 'Restore SAM-1' }).click();
  await expect(undone(page)).toContainText('Restored SAM-1 to Backlog');
  await expect(page.getByText('No archived task has that')).toBeVisible();
  await expect(
    page.getByRole('textbox', { name: 'Search the archive' }),
    'the focus stays on the page',
  ).toBeFocused();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(rows(page).filter({ hasText: 'SAM-2' })).toBeVisible();

  await undone(page).getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page).filter({ hasText: 'SAM-1' })).toBeVisible();
});

test(
  'an archived card is found and restored with keys',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(agent);
    await beckon.openWith(
      page,
      { title: 'First', status: 'backlog' },
      { title: 'Second', status: 'backlog' },
      { title: 'Third', status: 'backlog' },
      { title: 'Fourth', status: 'backlog' },
    );
    for (const key of ['SAM-1', 'SAM-2', 'SAM-3']) await archive(beckon, page, key);
    await page.goto(`${beckon.base}/#/project/SAM`);
    await page.getByRole('link', { name: '3 archived' }).waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(page.getByRole('heading', { name: 'Archive' })).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Third' })).toBeFocused();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Second' })).toBeFocused();
    await page.keyboard.press('r');
    await expect(undone(page)).toContainText('Restored SAM-2 to Backlog');
    await expect(
      page.getByRole('link', { name: 'First' }),
      'the row that took its place',
    ).toBeFocused();

    await page.keyboard.press('f');
    await page.keyboard.type('sam-3');
    await expect(page.getByRole('link', { name: 'First' })).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Third' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Session' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(
      page.getByRole('link', { name: 'Third' }),
      'Esc leads back to the archive',
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(
      page.getByRole('heading', { name: 'sample' }),
      'and from there to the board one came from',
    ).toBeVisible();
    await expect(page.getByRole('region', { name: /^Backlog, 2 tasks/ })).toContainText('Second');
  },
);

test('Undo in the toast takes an archived card back', async ({ page, start }) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Write it' });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Write it');
  await archive(beckon, page, 'SAM-1');
  await undone(page).getByRole('button', { name: 'Undo' }).click();
  await expect(undone(page)).toContainText('Undone: archived SAM-1');
  await expect(page.getByText('Review', { exact: true }).first()).toBeVisible();
});

test('discarded work comes back with its branch, by Undo, from the archive and from the task', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const [task] = await beckon.openWith(page, { title: 'Write it' });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Write it');
  const branch = (await now(beckon, page, task!)).branch;
  const branches = () => beckon.repo.git('branch', '--list', branch).trim();
  expect(branches()).not.toBe('');

  await discard(beckon, page);
  expect(branches()).toBe('');
  await undone(page).getByRole('button', { name: 'Undo' }).click();
  await expect(undone(page)).toContainText('Undone: discarded SAM-1');
  expect(beckon.repo.git('show', `${branch}:src/new.txt`)).toContain('hello');

  await discard(beckon, page);
  await beckon.open(page, '#/archive');
  await expect(rows(page).filter({ hasText: 'SAM-1' })).toContainText(
    /Discarded by you, .*30 days, until/,
  );
  await expect(
    page.getByText(/kept for 30 days as a branch and a copy of \d+ KB/),
    'its room is counted',
  ).toBeVisible();
  // A repository that lost the private ref, as by a mirror's push, has the work from its copy.
  for (const ref of beckon.repo
    .git('for-each-ref', '--format=%(refname)', 'refs/beckon/discarded')
    .trim()
    .split('\n'))
    beckon.repo.git('update-ref', '-d', ref);
  await page.getByRole('button', { name: 'Restore SAM-1' }).click();
  await expect(undone(page)).toContainText('Restored SAM-1 to Review');
  expect(beckon.repo.git('show', `${branch}:src/new.txt`)).toContain('hello');

  await discard(beckon, page);
  await beckon.open(page, '#/task/SAM-1');
  await more(page, 'Restore');
  await expect(undone(page)).toContainText('Restored SAM-1 to Review');
  expect(beckon.repo.git('show', `${branch}:src/new.txt`)).toContain('hello');

  await discard(beckon, page);
  for (const ref of beckon.repo
    .git('for-each-ref', '--format=%(refname)', 'refs/beckon/discarded')
    .trim()
    .split('\n'))
    beckon.repo.git('update-ref', '-d', ref);
  rmSync(join(beckon.data, 'trash'), { recursive: true });
  await beckon.open(page, '#/archive');
  await expect(
    rows(page).filter({ hasText: 'SAM-1' }),
    'no copy is left, whatever the day',
  ).toContainText('work is gone');
  await page.getByRole('button', { name: 'Restore SAM-1' }).click();
  await expect(undone(page)).toContainText('Restored SAM-1 to Backlog');
});

test('an archive of many shows the first, and says how many there are', async ({ page, start }) => {
  const beckon = await start(agent);
  const drafts = Array.from({ length: 70 }, (_, i) => ({
    title: `Card ${i + 1}`,
    status: 'backlog' as const,
  }));
  const tasks = await beckon.openWith(page, ...drafts);
  for (const task of tasks) await beckon.call(page, 'MoveTask', task.id, 'archived', 0);
  await beckon.open(page, '#/archive');
  await expect(rows(page).filter({ hasText: 'SAM-' })).toHaveCount(60);
  await expect(rows(page).filter({ hasText: 'Today' })).toContainText('70');
  await page.getByRole('textbox', { name: 'Search the archive' }).fill('SAM-1');
  await expect(
    rows(page).filter({ hasText: 'SAM-' }),
    'those beyond the first are found',
  ).toHaveCount(11);
  await page.getByRole('textbox', { name: 'Search the archive' }).fill('');
  await page.getByRole('button', { name: '10 more' }).click();
  await expect(rows(page).filter({ hasText: 'SAM-' })).toHaveCount(70);
});

test('who cannot see the archive can use it, and it fits a small window', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const long =
    'A title that goes on for longer than any column of the smallest window is wide, and then some';
  const [task] = await beckon.openWith(
    page,
    { title: 'Write it' },
    { title: long, status: 'backlog', labels: ['perf'] },
  );
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Write it');
  await beckon.open(page, '#/archive');
  await expect(page.getByText('Nothing archived yet')).toBeVisible();
  await judge(page, 'empty archive');
  await beckon.call(page, 'CloseTask', task!.id);
  for (const key of ['SAM-1', 'SAM-2']) await archive(beckon, page, key);
  await beckon.open(page, '#/archive');
  await expect(rows(page).filter({ hasText: 'SAM-1' })).toContainText('Closed, archived by you');
  await expect(page.getByRole('complementary', { name: 'SAM-2' })).toContainText('Backlog');
  await judge(page, 'archive');
  for (const [width, height] of [
    [960, 640],
    [640, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const language of ['en', 'de']) {
      await beckon.call(page, 'SaveSettings', { slots: 3, language, theme: '', singleKeys: true });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.bar, .arch, .scroll, body')]
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.className),
      );
      expect(wide, `${width} px, ${language}`).toEqual([]);
      const restores = page.getByRole('button', {
        name: language === 'en' ? 'Restore SAM-2' : 'Wiederherstellen SAM-2',
      });
      await expect(restores).toBeInViewport({ ratio: 1 });
    }
  }
});

test('what an archived task was is read beside the list, and over it in a small window', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: Ask\nask_user {"questions":[{"question":"Which way?","header":"Way","options":[{"label":"Left"},{"label":"Right"}]}]}\nwrite src/way.txt left\ntext done',
  );
  const [task] = await beckon.openWith(page, {
    title: 'Ask me',
    brief: Array.from({ length: 60 }, (_, i) => `- line ${i}`).join('\n'),
  });
  await expect(page.getByText('Claude asks')).toBeVisible();
  await beckon.call(page, 'AnswerQuestion', (await beckon.questions(page, task!))[0]!.id, {
    items: [{ labels: ['Left'], other: '' }],
    verdict: '',
    text: '',
    by: '',
    at: 0,
  });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Ask me');
  await beckon.call(page, 'MergeAs', task!.id, { way: 'squash', message: '' });
  await archive(beckon, page, 'SAM-1');
  await beckon.open(page, '#/archive');
  const side = page.getByRole('complementary', { name: 'SAM-1' });
  await expect(side).toContainText(/Commits\s*1\s*in main since/);
  await expect(side.getByRole('listitem').filter({ hasText: 'Merged into main' })).toContainText(
    new RegExp(`you, .*, Squash, ${beckon.repo.git('rev-parse', 'main').slice(0, 8)}`),
  );
  await expect(side).toContainText(/Sessions\s*1\s*can be continued\s*Questions\s*1\s*1 answered/);
  await expect(side.getByRole('listitem').filter({ hasText: 'Run 1: Succeeded' })).toContainText(
    /1 turn/,
  );
  await expect(side.getByRole('listitem').last()).toContainText('Created');
  await page.keyboard.press('i');
  const details = page.getByRole('region', { name: 'Details of SAM-1' });
  await expect(details).toBeFocused();
  await page.keyboard.press('End');
  await expect
    .poll(() => details.evaluate((one) => one.scrollTop), 'keys scroll a long brief')
    .toBeGreaterThan(0);
  await expect(side.getByRole('button', { name: 'Restore' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(
    page.getByRole('link', { name: 'Ask me' }),
    'Esc leads back to the row',
  ).toBeFocused();

  await page.setViewportSize({ width: 960, height: 640 });
  await expect(side).toBeHidden();
  await page.keyboard.press('i');
  await expect(details).toBeFocused();
  await judge(page, 'archive, with the details over it');
  await side.getByRole('button', { name: 'Close the details' }).click();
  await expect(side).toBeHidden();
  await page.locator('tr[data-row] td.kept').click();
  await expect(side, 'a row that is pressed shows them too').toBeVisible();
  await side.getByRole('link', { name: '1', exact: true }).last().click();
  await expect(page.getByRole('tab', { name: /Questions/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

async function archive(beckon: Beckon, page: Page, key: string) {
  await beckon.open(page, `#/task/${key}`);
  await more(page, 'Archive');
  await expect(undone(page)).toContainText(`Archived ${key}`);
}

async function discard(beckon: Beckon, page: Page) {
  await beckon.open(page, '#/task/SAM-1');
  await more(page, 'Discard the work…');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(undone(page)).toContainText('Discarded SAM-1');
}

/** Chooses from the menu of a task's page. */
async function more(page: Page, item: string) {
  await page.locator('header.bar').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function now(beckon: Beckon, page: Page, task: Task): Promise<Task> {
  return (await beckon.tasks(page)).find((one) => one.id === task.id)!;
}
