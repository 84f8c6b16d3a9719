// What was dealt with leads to what needs the person next.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('after a merge the next review is one key away, from the empty Inbox and the board too', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: One\nwrite one.txt one\ntext Done.',
    'match: Two\nwrite two.txt two\ntext Done.',
    'match: Three\nwrite three.txt three\ntext Done.',
  );
  await beckon.openWith(page, { title: 'One' }, { title: 'Two' }, { title: 'Three' });
  for (const key of ['SAM-1', 'SAM-2', 'SAM-3'])
    await expect(page.getByRole('article', { name: new RegExp(`^${key}, Review`) })).toBeVisible({
      timeout: patience(20_000),
    });
  const next = (place: ReturnType<typeof page.getByRole>) =>
    place.getByRole('link', { name: /^Review next/ });
  await expect(next(page.getByRole('banner').or(page.locator('header.bar')).first())).toBeVisible();

  await beckon.open(page, '#/inbox');
  await expect(page.getByText('Nobody needs you')).toBeVisible();
  await expect(next(page.getByRole('main'))).toBeVisible();
  await judge(page, 'an empty Inbox with work to be looked at');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).toHaveURL(/#\/task\/SAM-\d\/changes$/);
  const first = page.url();
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();

  // Once more is the one after it.
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).not.toHaveURL(first);
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  const second = page.url();
  await page.keyboard.press('m');
  const bar = page.getByRole('group', { name: 'Merge' });
  await expect(bar).toContainText('Merged');
  await expect(next(bar)).toBeFocused();
  await judge(page, 'what was merged, with what is next');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(second);
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  await page.keyboard.press('m');
  await expect(next(bar)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  await page.keyboard.press('m');
  await expect(bar).toContainText('Merged');
  await expect(next(bar), 'nothing is left').toHaveCount(0);
});
