import { expect, test } from '../support/fixture';

const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt'];
const agent = names.map((name) => `write ${name} new in ${name}`).join('\n');

test('J and K mark the hunk they go to, where all fits and where it scrolls', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Write them' });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Write them');
  await beckon.open(page, '#/task/SAM-1/changes');
  const diff = page.getByRole('region', { name: 'Changes' });
  await expect(diff).toContainText('new in f.txt');
  const marked = diff.locator('.virtual-row', { has: page.locator('[aria-current]') });
  const edged = diff.locator('.virtual-row', { has: page.locator('.hunk-cur') });
  const said = page.getByRole('status').filter({ hasText: /^hunk/ });
  await expect(marked).toHaveCount(0);

  for (const [i, name] of names.slice(0, 3).entries()) {
    await page.keyboard.press('j');
    await expect(said).toHaveText(`hunk ${i + 1} of 6`);
    await expect(marked).toHaveCount(1);
    await expect(edged, 'the edge reaches its last line').toHaveText([
      /@@/,
      new RegExp(`new in ${name}`),
      /No newline/,
    ]);
    await expect(page.getByRole('treeitem', { selected: true })).toContainText(name);
  }
  await page.keyboard.press('k');
  await expect(said).toHaveText('hunk 2 of 6');

  await page.setViewportSize({ width: 1200, height: 330 });
  for (const n of [3, 4, 5, 6, 6]) {
    await page.keyboard.press('j');
    await expect(said).toHaveText(`hunk ${n} of 6`);
    await expect(marked).toBeInViewport({ ratio: 1 });
  }
  // Who scrolls away goes on from what is in sight.
  await diff.hover();
  await page.mouse.wheel(0, -5000);
  await expect(diff.locator('.virtual-row').filter({ hasText: 'new in a.txt' })).toBeInViewport();
  await page.keyboard.press('j');
  await expect(said).toHaveText('hunk 1 of 6');
});

test('a file that one goes to has its head once, above the list, and the way back leads to the one before', async ({
  page,
  start,
}) => {
  const long = (name: string) =>
    `-- ${name} --\n${Array.from({ length: 60 }, (_, i) => `line ${i} of ${name}\n`).join('')}`;
  const beckon = await start(
    `${names.map((name) => `write ${name} @${name}`).join('\n')}\ntext Done.\n${names.map(long).join('')}`,
  );
  await beckon.openWith(page, { title: 'Write them' });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText('Write them');
  await beckon.open(page, '#/task/SAM-1/changes');
  const heads = page.locator('.filehead:visible');
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('line 0 of a.txt');
  for (const [key, name] of [
    [']', 'b.txt'],
    [']', 'c.txt'],
    ['[', 'b.txt'],
    ['[', 'a.txt'],
    [']', 'b.txt'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(heads.first()).toContainText(name);
    await expect(page.getByRole('treeitem', { selected: true })).toContainText(name);
    await expect(
      page.locator('.virtual-row').filter({ hasText: new RegExp(`line 0 of ${name}`) }),
    ).toBeInViewport();
    await expect(
      heads.filter({ hasText: name }).nth(1),
      'no second one in sight',
    ).not.toBeInViewport({ ratio: 0.1 });
  }
});
