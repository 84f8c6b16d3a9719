import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, kept, openMission, order, pane } from '../support/mission';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const nine = [
  'Ask one',
  'Permit two',
  'Plan three',
  'Work four',
  'Work five',
  'Work six',
  'Finish seven',
  'Work eight',
  'Fail nine',
];

test(
  'nine agents are seen at a glance, three of them ask, and each can be answered in its pane by keys',
  { tag: '@smoke' },
  async ({ page, start }) => {
    test.slow();
    const beckon = await start(...agents);
    const tasks = await openMission(beckon, page, nine, 9);
    await expect(page.locator('.pane')).toHaveCount(7); // what finished before Mission Control was opened has no pane
    expect((await order(page)).slice(0, 3).sort()).toEqual(['SAM-1', 'SAM-2', 'SAM-3']);
    const chips = page.getByRole('group', { name: 'Agents' });
    await expect(chips.getByRole('button')).toHaveCount(7);
    await expect(chips.getByRole('button').first()).toContainText(/Overlaps|Allow|Plan/);

    await pane(page, 'SAM-4').focus();
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('2'); // no question in this pane: nobody else may take it
    for (const key of ['SAM-1', 'SAM-2', 'SAM-3'])
      await expect(pane(page, key, '(needs you|asks permission|plan ready)')).toBeVisible();

    await pane(page, 'SAM-1').focus();
    await page.keyboard.press('2');
    await expect(pane(page, 'SAM-1', 'running')).toContainText('Merge', {
      timeout: patience(20_000),
    });
    await pane(page, 'SAM-2').focus();
    await page.keyboard.press('1');
    await expect(pane(page, 'SAM-2', 'running')).toContainText('Carried on', {
      timeout: patience(20_000),
    });
    await pane(page, 'SAM-3').focus();
    await page.keyboard.press('Space'); // a plan is read first
    await expect(page.getByRole('dialog')).toContainText('Two steps');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect(pane(page, 'SAM-3', 'running')).toContainText('Planned', {
      timeout: patience(20_000),
    });
    expect((await beckon.questions(page, tasks[0]!))[0]!.answer?.items[0]?.labels).toEqual([
      'Merge',
    ]);
  },
);

test('panes are dragged, pinned and maximised, and stand the same after a reload', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  await openMission(beckon, page, ['Work one', 'Work two', 'Work three', 'Work four'], 4);
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-2', 'SAM-3', 'SAM-4']);

  const from = (await pane(page, 'SAM-4').locator('.pane-title').boundingBox())!;
  const to = (await pane(page, 'SAM-1').boundingBox())!;
  await page.mouse.move(from.x + 200, from.y + 8);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++)
    await page.mouse.move(
      from.x + ((to.x + 200 - from.x) * step) / 12,
      from.y + ((to.y + 60 - from.y) * step) / 12,
    );
  await page.mouse.up();
  await expect.poll(() => order(page)).toEqual(['SAM-4', 'SAM-1', 'SAM-2', 'SAM-3']);
  await expect(pane(page, 'SAM-4')).toBeFocused();

  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-4', 'SAM-2', 'SAM-3']);
  await expect(page.locator('[aria-live="assertive"]')).toContainText('SAM-4, position 2 of 4');

  await pane(page, 'SAM-4').getByRole('button', { name: 'More for SAM-4' }).click();
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
  await expect(pane(page, 'SAM-4').getByLabel('Pinned')).toBeVisible();
  await pane(page, 'SAM-2').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => order(page)).toEqual(['SAM-2']);

  await expect.poll(async () => (await kept(beckon, page)).maximised).not.toBe('');
  await page.reload();
  await expect.poll(() => order(page)).toEqual(['SAM-2']);
  await expect(pane(page, 'SAM-2')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-4', 'SAM-2', 'SAM-3']);
  await expect(pane(page, 'SAM-4').getByLabel('Pinned')).toBeVisible();
});

test('a pane that is removed in one tab stays removed when another tab changes the panes', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const [, second] = await openMission(beckon, page, ['Work one', 'Work two', 'Work three'], 4);
  const beside = await newWindow(page);
  await beside.goto(`${beckon.base}/#/mission`);
  await expect.poll(() => order(beside)).toEqual(['SAM-1', 'SAM-2', 'SAM-3']);

  await pane(page, 'SAM-2').getByRole('button', { name: 'More for SAM-2' }).click();
  await page.getByRole('menuitem', { name: 'Remove from Mission Control' }).click();
  await expect.poll(() => order(beside)).toEqual(['SAM-1', 'SAM-3']);
  await beside.getByRole('radio', { name: '3 by 2' }).click();
  await expect(page.getByRole('radio', { name: '3 by 2' })).toHaveAttribute('aria-checked', 'true');
  for (const tab of [page, beside]) expect(await order(tab)).toEqual(['SAM-1', 'SAM-3']);
  expect((await kept(beckon, page)).removed).toEqual([second!.id]);

  await beckon.steer(page, second!.id, 'now');
  for (const tab of [page, beside])
    await expect(pane(tab, 'SAM-2', 'needs you'), 'it comes back with a question').toBeVisible({
      timeout: patience(20_000),
    });
  await expect.poll(async () => (await kept(beckon, page)).removed).toEqual([]);
});

test('a question that arrives takes neither the caret nor a letter', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [first, second] = await openMission(
    beckon,
    page,
    ['Work one', 'Work two', 'Work three', 'Work four'],
    4,
  );
  const shown = await order(page);

  await pane(page, 'SAM-1').focus();
  await page.keyboard.press('m');
  const composer = pane(page, 'SAM-1').getByRole('textbox');
  await expect(composer).toBeFocused();
  await page.keyboard.type('half a ');
  await beckon.steer(page, second!.id, 'now');
  await expect(pane(page, 'SAM-2', 'needs you')).toBeVisible({ timeout: patience(20_000) });
  await page.keyboard.type('sentence 12');
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue('half a sentence 12');
  expect(await order(page)).toEqual(shown);

  // A question of a pane's own agent appears where the composer is: the text and the caret stay.
  await beckon.steer(page, first!.id, 'now');
  await expect(pane(page, 'SAM-1', 'needs you')).toBeVisible({ timeout: patience(20_000) });
  await page.keyboard.type('!');
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue('half a sentence 12!');
});

test('what needs the person comes into view in place of what is over, but not of what is pinned', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const [, second, third, , , sixth] = await openMission(
    beckon,
    page,
    ['Work one', 'Work two', 'Work three', 'Work four', 'Work five', 'Work six'],
    4,
  );
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-2', 'SAM-3', 'SAM-4']);
  await pane(page, 'SAM-3').focus();
  await page.keyboard.press('p');
  await pane(page, 'SAM-1').focus();
  await beckon.call(page, 'Stop', third!.id);
  await expect(pane(page, 'SAM-3', 'stopped')).toBeVisible({ timeout: patience(20_000) });
  await beckon.steer(page, sixth!.id, 'now');
  const chip = page.getByRole('group', { name: 'Agents' }).getByRole('button', { name: /SAM-6/ });
  await expect(chip).toHaveClass(/needs/, { timeout: patience(20_000) });
  expect(await order(page), 'all at work or pinned').toEqual(['SAM-1', 'SAM-2', 'SAM-3', 'SAM-4']);
  await beckon.call(page, 'Stop', second!.id);
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-6', 'SAM-3', 'SAM-4']);
  await expect(pane(page, 'SAM-1')).toBeFocused();
});

test('Mission Control is worked by keys alone', async ({ page, start }) => {
  const beckon = await start(...agents);
  const tasks = await openMission(
    beckon,
    page,
    ['Work one', 'Work two', 'Ask three', 'Work four', 'Plan five'],
    4,
  );
  await beckon.call(page, 'SaveMission', {
    layout: 4,
    panes: tasks.slice(0, 4).map(({ id }) => ({ taskId: id, pinned: false })),
    removed: [],
    maximised: '',
  });
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-2', 'SAM-3', 'SAM-4']);
  await beckon.open(page, '#/');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.locator('.pane')).toHaveCount(4);
  await expect(page.locator('.pane.focus')).toBeFocused();

  const at = async (place: number) => pane(page, (await order(page))[place]!);
  await page.keyboard.press('ControlOrMeta+3');
  await expect(await at(2)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(await at(3)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(await at(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(await at(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(await at(1)).toBeFocused();

  await page.keyboard.press('m');
  await page.keyboard.type('hello');
  const asked = async (at: number) => (await beckon.questions(page, tasks[at]!))[0]!.asked;
  const thirdFirst = (await asked(2)) <= (await asked(4));
  for (const key of thirdFirst ? ['SAM-3', 'SAM-5'] : ['SAM-5', 'SAM-3', 'SAM-5']) {
    await page.keyboard.press('ControlOrMeta+j');
    await expect(pane(page, key), 'who has waited longest comes first').toBeFocused();
  }
  await page.keyboard.press('Space'); // a plan is read first
  await expect(page.getByRole('dialog')).toContainText('Two steps');
  await page.keyboard.press('1');
  await expect(pane(page, 'SAM-5', 'running')).toBeVisible({ timeout: patience(20_000) });

  await page.keyboard.press('l');
  await expect(page.getByRole('radio', { name: '3 by 2' })).toHaveAttribute('aria-checked', 'true');
  await expect(page.locator('.pane')).toHaveCount(5);
  await page.keyboard.press('Shift+Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-5$/);
  await page.goBack();
  await expect(page.locator('.pane')).toHaveCount(5);
});

test('a control in another pane keeps the focus, and a pane with an address of its own can be taken away', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  await openMission(beckon, page, ['Work one', 'Work two'], 4);
  await beckon.open(page, '#/mission/SAM-1');
  await expect(pane(page, 'SAM-1')).toBeFocused();
  const other = pane(page, 'SAM-2').getByRole('button', { name: 'More for SAM-2' });
  await other.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Pin', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(other).toBeFocused();
  await pane(page, 'SAM-1').getByRole('button', { name: 'More for SAM-1' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Remove from Mission Control' }).press('Enter');
  await expect.poll(() => order(page)).toEqual(['SAM-2']);
  await expect(pane(page, 'SAM-2')).toBeFocused();
});

test('a finished run leads on: to its changes, or going again', async ({ page, start }) => {
  const beckon = await start(...agents);
  const tasks = await openMission(beckon, page, ['Work one', 'Finish two', 'Fail three'], 4);
  await beckon.call(page, 'SaveMission', {
    layout: 4,
    panes: tasks.map(({ id }) => ({ taskId: id, pinned: false })),
    removed: [],
    maximised: '',
  });
  await expect.poll(() => order(page)).toEqual(['SAM-1', 'SAM-2', 'SAM-3']);
  await expect(
    pane(page, 'SAM-3', 'stopped').getByRole('button', { name: 'Resume' }),
  ).toBeVisible();
  await expect(pane(page, 'SAM-3')).toContainText('The request was refused');
  await pane(page, 'SAM-2', 'ready').getByRole('link', { name: 'Review 1 file' }).click();
  await expect(page).toHaveURL(/#\/task\/SAM-2\/changes$/);
});

test('who cannot see Mission Control can use it, in each layout', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...agents);
  const tasks = await openMission(beckon, page, nine, 9);
  for (const layout of [9, 6, 4]) {
    await beckon.call(page, 'SaveMission', {
      layout,
      panes: tasks.map(({ id }, i) => ({ taskId: id, pinned: i === 0 })),
      maximised: '',
    });
    await expect(page.locator('.pane')).toHaveCount(layout);
    await judge(page, `${layout} panes`);
  }
});
