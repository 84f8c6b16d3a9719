// The files of a review are found, gone through and ticked off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const agents = [
  'match: again\nwrite src/two.txt two again\ntext Done again.',
  'write src/one.txt one\nwrite src/two.txt two\nwrite docs/three.md three\ntext Done.',
];

test(
  'a viewed file folds, stays so, and is forgotten when it changes',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    const [task] = await beckon.openWith(page, { title: 'Three files' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    await beckon.open(page, '#/task/SAM-1/changes');
    const tree = page.getByRole('tree', { name: 'Changed files' });
    const item = (name: string) => tree.getByRole('treeitem', { name: new RegExp(name) });
    await expect(item('three.md')).toHaveAttribute('aria-selected', 'true');

    await page.keyboard.press('v');
    await expect(page.getByText('1 of 3 viewed')).toBeVisible();
    await expect(page.locator('.dl', { hasText: 'three' })).toHaveCount(0);
    await expect(item('one.txt'), 'the next file').toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press(']');
    await expect(item('two.txt')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('v');
    await expect(page.getByText('2 of 3 viewed')).toBeVisible();

    await page.reload();
    await expect(page.getByText('2 of 3 viewed')).toBeVisible();
    await expect(page.locator('.dl', { hasText: 'two' })).toHaveCount(0);
    await item('two.txt').click();
    await page.getByRole('button', { name: 'Viewed', pressed: true }).last().click();
    await expect(page.locator('.dl', { hasText: 'two' })).toBeVisible();
    await page.getByRole('button', { name: 'Viewed', pressed: false }).last().click();
    await expect(page.getByText('2 of 3 viewed')).toBeVisible();

    await beckon.call(page, 'SendBack', task!.id, 'again');
    await expect(page.getByText('1 of 3 viewed')).toBeVisible({ timeout: patience(20_000) });
    await expect(page.locator('.dl', { hasText: 'two again' })).toBeVisible();
  },
);

test('a file is found by words of its path', async ({ page, start }) => {
  const beckon = await start(agents[1]!);
  await beckon.openWith(page, { title: 'Three files' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1/changes');
  const tree = page.getByRole('tree', { name: 'Changed files' });
  await page.getByRole('textbox', { name: 'Filter files' }).fill('src two');
  await expect(tree.getByRole('treeitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { name: /two\.txt/ })).toBeFocused();
  await expect(tree.getByRole('treeitem', { name: /two\.txt/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.getByRole('textbox', { name: 'Filter files' }).fill('no such');
  await expect(page.getByText('No file matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tree.getByRole('treeitem')).toHaveCount(3);
});

test('of very many files the first come at once, the tree has those in sight, and keys reach all', async ({
  page,
  start,
}) => {
  const many = 400;
  const beckon = await start(
    `${Array.from({ length: many }, (_, i) => `write src/part${i % 4}/file${String(i).padStart(3, '0')}.txt ${i}`).join('\n')}\ntext Done.`,
  );
  await beckon.openWith(page, { title: 'Many' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(30_000),
  });
  const worktree = beckon.repo
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))[1]!
    .slice(9);
  writeFileSync(join(worktree, 'long.txt'), '0123456789abcde\n'.repeat(45_000));

  // What is not on the first screen fails once, and then takes its time.
  let [fails, release] = [true, () => {}];
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/rpc/Review', async (route) => {
    const [, view] = route.request().postDataJSON() as [string, { start: boolean }];
    if (view.start) return route.continue();
    if (fails)
      return route.fulfill({ status: 500, json: { code: 'internal', message: 'git broke' } });
    await held;
    return route.continue();
  });
  await beckon.open(page, '#/task/SAM-1/changes');
  const items = page.getByRole('tree', { name: 'Changed files' }).getByRole('treeitem');
  const diff = page.getByRole('region', { name: 'Changes' });
  const sum = page.locator('.sum');
  await expect(page.getByText(`0 of ${many + 1} viewed`)).toBeVisible();
  await expect(diff.locator('.dl.a').first()).toBeVisible();
  await expect(sum, 'no figure is wrong').toHaveText('…');
  await diff.evaluate((list) => (list.scrollTop = list.scrollHeight));
  await expect(
    page.getByRole('alert').filter({ hasText: 'Couldn’t read the other files.' }),
  ).toBeVisible();
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Reading the other files…')).toBeVisible();
  await judge(page, 'files that are still to come');
  expect(await items.count()).toBeLessThan(100);
  await items.first().focus();
  await page.keyboard.press('End');
  release();
  await expect(sum).toHaveText('+45,400');
  await expect(items.last(), 'the key waited for what it leads to').toBeFocused();
  await expect(items.last()).toHaveAttribute('aria-selected', 'true');
  await expect(items.last()).toBeInViewport();
  await expect(diff.locator('.code', { hasText: /^399$/ })).toBeInViewport();

  await page.keyboard.press('Home');
  await expect(items.first()).toBeFocused();
  await diff.focus();
  await page.keyboard.press(']');
  await expect(items.nth(1)).toHaveAttribute('aria-selected', 'true');
  const note = diff.locator('.note-row', {
    hasText: /\d more changed lines of this file aren’t shown/,
  });
  await judge(page, 'a file that is cut');
  await note.getByRole('button', { name: 'Show all of this file' }).click();
  await expect(note).toHaveCount(0);
  await expect(items.first(), 'one reads on where it was cut').toHaveAttribute(
    'aria-selected',
    'true',
  );
  await diff.focus();
  await page.keyboard.press(']');
  await expect(diff.locator('.dl', { hasText: '45000' }), 'its last line').toHaveCount(1);
  await page.getByRole('textbox', { name: 'Filter files' }).fill('part2 file14');
  await expect(items).toHaveText([/file142\.txt/, /file146\.txt/]);
  await page.keyboard.press('Escape');

  // Other changes, or another look at them, show their first screen as soon.
  for (const { key, whole } of [
    { key: ',', whole: '+400' },
    { key: 'w', whole: '+400' },
  ]) {
    let go = () => {};
    const shut = new Promise<void>((done) => (go = done));
    await page.route('**/rpc/Review', async (route) => {
      const [, view] = route.request().postDataJSON() as [string, { start: boolean }];
      if (!view.start) await shut;
      return route.continue();
    });
    await diff.evaluate((list) => (list.scrollTop = 0));
    await diff.focus();
    await page.keyboard.press(key);
    await expect(sum, `first screen by ${key}`).toHaveText('…');
    await expect(diff.locator('.dl.a').first()).toBeVisible();
    go();
    await expect(sum).toHaveText(whole);
  }
  await expect(page.getByRole('button', { name: 'Only turn 1' })).toBeVisible();
});
