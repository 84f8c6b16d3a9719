// What was archived, closed and discarded, with the past of one of them.
import { expect, test } from '../support/fixture';
import { agents, kestrel, play } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

test('the archive', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { review } = await play(beckon, page);
  const all = await beckon.tasks(page);
  const id = (key: string) => all.find((task) => task.key === key)!.id;
  const { token } = await beckon.call<{ token: string }>(page, 'Loss', id('KES-5'));
  await beckon.call(page, 'DiscardTask', id('KES-5'), token);
  for (const key of ['KES-9', 'KES-10', 'KES-6']) await beckon.call(page, 'MoveTask', id(key), 'archived', 0);
  await beckon.call(page, 'CloseTask', review.id);
  await beckon.call(page, 'MoveTask', review.id, 'archived', 0);
  await beckon.open(page, '#/archive');
  await page.getByRole('link', { name: 'Bound memory in the merge iterator' }).focus();
  await expect(page.getByRole('complementary', { name: review.key })).toContainText('Run 1');
  await take(page, 'archive');
  await page.setViewportSize({ width: 960, height: 640 });
  await page.keyboard.press('i');
  await expect(page.getByRole('complementary', { name: review.key })).toBeVisible();
  await take(page, 'min-960x640-archive');
});
