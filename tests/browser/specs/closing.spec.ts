import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixture';

test(
  'a card with unmerged work is closed only when asked, is marked so, and comes back',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('write src/new.txt hello');
    await beckon.openWith(page, { title: 'Try it out' });
    const review = page.getByRole('region', { name: /^Review, 1 task/ });
    await expect(review).toContainText('Try it out');
    const card = page.getByRole('article', { name: /SAM-1/ });
    const asks = page.getByRole('dialog', { name: 'Close SAM-1 without merging?' });

    await liftToDone(page, card);
    await expect(asks).toContainText('1 commit is not in main.');
    await expect(asks.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(asks).toBeHidden();
    await expect(review).toContainText('Try it out');

    await liftToDone(page, card);
    await asks.getByRole('button', { name: 'Close without merging' }).click();
    const done = page.getByRole('region', { name: /^Done, 1 task/ });
    await expect(done).toContainText('Closed');
    await expect(done).toContainText('branch kept');

    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(review).toContainText('Try it out');

    await card.click();
    await page.getByRole('tab', { name: /Changes/ }).click();
    await page.getByRole('button', { name: /Merge into main/ }).click();
    await page.goto(`${beckon.base}/#/`);
    await expect(done).toContainText('Merged');
  },
);

test('a queued card is not offered for merging', async ({ page, start }) => {
  const beckon = await start('write src/new.txt hello');
  const [task] = await beckon.openWith(page, { title: 'Once more' });
  await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toBeVisible();
  await beckon.call(page, 'StartInteractive', task!.id); // which keeps the queue from starting it
  await beckon.call(page, 'MoveTask', task!.id, 'queued', 0);
  await beckon.open(page, `#/task/${task!.key}/changes`);
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('hello');
  await expect(page.getByRole('button', { name: /Merge into main/ })).toBeDisabled();
});

/** Lifts a card of Review by keys and drops it in Done. */
async function liftToDone(page: Page, card: Locator) {
  const said = page.locator('[aria-live="assertive"]');
  await expect(card).toBeVisible();
  await card.focus();
  await page.keyboard.press('Space');
  await expect(said).toContainText('SAM-1 lifted');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('Done, 1 of 1');
  await expect(card).toBeFocused();
  await page.keyboard.press('Space');
}
