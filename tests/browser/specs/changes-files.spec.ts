// The files of a review are found, gone through and ticked off.
import { expect, test } from '../support/fixture';

const agents = [
  'match: again\nwrite src/two.txt two again\ntext Done again.',
  'write src/one.txt one\nwrite src/two.txt two\nwrite docs/three.md three\ntext Done.',
];

test('a viewed file folds, stays so, and is forgotten when it changes', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [task] = await beckon.openWith(page, { title: 'Three files' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({ timeout: 20_000 });
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
  await expect(page.getByText('1 of 3 viewed')).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('.dl', { hasText: 'two again' })).toBeVisible();
});

test('a file is found by words of its path', async ({ page, start }) => {
  const beckon = await start(agents[1]!);
  await beckon.openWith(page, { title: 'Three files' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({ timeout: 20_000 });
  await beckon.open(page, '#/task/SAM-1/changes');
  const tree = page.getByRole('tree', { name: 'Changed files' });
  await page.getByRole('textbox', { name: 'Filter files' }).fill('src two');
  await expect(tree.getByRole('treeitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { name: /two\.txt/ })).toBeFocused();
  await expect(tree.getByRole('treeitem', { name: /two\.txt/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('textbox', { name: 'Filter files' }).fill('no such');
  await expect(page.getByText('No file matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tree.getByRole('treeitem')).toHaveCount(3);
});
