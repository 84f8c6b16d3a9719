// Where keys lead, and where the focus is afterwards.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { agents as full, openFull } from '../support/sample';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

const asks = `match: Ask\nask_user {"question":"Left or right?","options":[{"label":"Left"},{"label":"Right"}]}\ntext Went \${answer}.\nsleep 120s`;
const finishes = `match: Finish\nwrite src/more.ts "export const more = 1;\\n"\ntext Done.`;
const works = `match: Work\ntext I work.\nexpect stop\ntext Stopped.`;

test('Enter on a card to review opens its changes, and Esc leads back to the board one came from', async ({
  page,
  start,
}) => {
  const beckon = await start(finishes);
  await beckon.openWith(page, { title: 'Finish it' });
  await beckon.open(page, '#/project/SAM');
  const card = page.getByRole('article', { name: /^SAM-1, Review/ });
  await expect(card).toBeVisible({ timeout: patience(20_000) });
  await card.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/changes$/);
  await expect(page.getByRole('button', { name: /Merge into main/ })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/project\/SAM$/);
  await expect(card).toBeFocused();

  await page.keyboard.press('Enter');
  const merge = page.getByRole('button', { name: /Merge into main/ });
  await merge.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
  await expect
    .poll(
      () => page.evaluate(() => document.activeElement !== document.body),
      'the focus is not lost',
    )
    .toBe(true);
});

test('Esc in the composer leaves what is written, and stops Claude only where nothing is', async ({
  page,
  start,
}) => {
  const beckon = await start(works);
  await beckon.openWith(page, { title: 'Work on it' });
  await expect(page.getByRole('article', { name: /^SAM-1, Running/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1');
  await expect(page.getByRole('log')).toContainText('I work.', { timeout: patience(20_000) });
  const composer = page.getByRole('textbox', { name: /Message/ });
  await composer.fill('half a sentence');
  await page.keyboard.press('Escape');
  await expect(composer).not.toBeFocused();
  await expect(composer).toHaveValue('half a sentence');
  await composer.fill('');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('log')).toContainText(/interrupted/i, { timeout: patience(20_000) });
  expect(
    await page
      .getByRole('log')
      .getByText(/interrupted/i)
      .count(),
    'the first Esc stopped nobody',
  ).toBeLessThanOrEqual(2);
});

test('what is closed by Esc gives the focus back', async ({ page, start }) => {
  const beckon = await start(asks);
  await beckon.openWith(page); // with a task, which may come in the same frame, the board would not begin in the line
  await expect(page.getByRole('combobox', { name: 'Title of the new task' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Add a task' })).toBeFocused();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the Inbox and Answer next begin with what runs out first', async ({ page, start }) => {
  const beckon = await start(asks);
  await beckon.open(page);
  const id = await beckon.addProject(page);
  await beckon.addTask(page, id, { title: 'Ask without a clock', policy: 'wait' });
  await expect(page.getByRole('article', { name: /^SAM-1, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.addTask(page, id, {
    title: 'Ask in ten minutes',
    policy: 'proceed',
    waitMs: 600_000,
  });
  await expect(page.getByRole('article', { name: /^SAM-2, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.addTask(page, id, {
    title: 'Ask in five minutes',
    policy: 'proceed',
    waitMs: 300_000,
  });
  await expect(page.getByRole('article', { name: /^SAM-3, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await page.keyboard.press('Escape'); // the field that is open on an empty board
  await page.keyboard.press('ControlOrMeta+j');
  const rows = page
    .getByRole('navigation', { name: 'Waiting' })
    .or(page.locator('.q-list'))
    .first()
    .locator('a.q');
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((text) => /SAM-\d/.exec(text)?.[0]))
    .toEqual(['SAM-3', 'SAM-2', 'SAM-1']);
  await expect(page.locator('.q-detail')).toContainText('SAM-3');
});

test('a run that stopped says why once, and what to do', async ({ page, start }) => {
  const beckon = await start(...full);
  const { fail } = await openFull(beckon, page);
  await beckon.open(page, `#/task/${fail.key}`);
  await expect(page.getByRole('alert', { name: 'This run stopped on an error' })).toBeVisible();
  await expect(
    page.getByRole('main').getByText('API Error: 400 The request was refused'),
  ).toHaveCount(1);
  await expect(page.getByRole('main')).toContainText('Resume');
});

test('a folder is added by its name from home', async ({ page, start }) => {
  const beckon = await start('text Done.');
  const home = join(dirname(beckon.repo.dir), 'home');
  execFileSync('git', ['clone', '-q', beckon.repo.dir, join(home, 'myapp')]);
  await beckon.open(page);
  const found = await beckon.call<{ dir: string; git: boolean }>(page, 'InspectFolder', '~/myapp');
  expect(found.git).toBe(true);
  expect(found.dir.endsWith('/home/myapp')).toBe(true);
});

test('what a card says stays on the card', async ({ page, start }) => {
  const beckon = await start('text Done.');
  const labels = Array.from({ length: 20 }, (_, i) => `label-${i}`);
  await beckon.openWith(
    page,
    { title: `${'A very long title that goes on. '.repeat(16)}`.trim(), status: 'backlog', labels },
    {
      title: 'Label',
      status: 'backlog',
      labels: ['an-uncommonly-long-label-that-does-not-fit-a-card-of-this-board'],
    },
    { title: 'live \u202Eedirrevo', status: 'backlog' },
  );
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  await expect(page.getByRole('article', { name: /^SAM-1/ })).toContainText('+14');
  for (const card of await cards.all()) {
    const box = (await card.boundingBox())!;
    expect(box.height).toBeLessThan(240);
    for (const inside of await card.locator('.label, h3').all()) {
      const { x, width } = (await inside.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(box.x + box.width);
    }
  }
  await expect(page.getByRole('article', { name: /^SAM-3/ })).toContainText(
    'live ⟨U+202E⟩edirrevo',
  );
});
