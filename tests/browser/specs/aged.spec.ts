import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';

/** More than the first frame has, which is a thousand. */
const many = 1100;
/** Of so many at a time cards are made. */
const batch = 100;

const backlog = (page: Page) => page.getByRole('region', { name: /^Backlog/ });

/** Makes the cards, with the first the one that stands last. */
async function age(beckon: Beckon, page: Page): Promise<void> {
  const [first] = await beckon.openWith(page, {
    title: 'Sharpen the oldest saw',
    status: 'backlog',
  });
  const { projectId } = (await beckon.tasks(page))[0]!;
  for (let made = 1; made < many; made += batch) {
    const list = Array.from({ length: Math.min(batch, many - made) }, (_, i) => ({
      projectId,
      title: `Card ${made + i}`,
      brief: '',
      status: 'backlog',
      labels: [],
      priority: 0,
      model: '',
      mode: '',
      policy: '',
      waitMs: 0,
    }));
    await beckon.call(page, 'CreateTasks', list);
  }
  await beckon.call(page, 'MoveTask', first!.id, 'archived', 0);
}

test('a board with more cards than its first frame counts them, and opens each, once it has them', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await age(beckon, page);
  let send!: () => void;
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/rpc/AttachMore', async (route) => {
    await sent;
    await route.continue();
  });

  await page.goto(`${beckon.base}/#/task/SAM-1`);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Board', exact: true })).toBeVisible();
  await expect(
    page.getByText('SAM-1'),
    'what is not here yet is not said to be nowhere',
  ).toBeHidden();
  await page.goto(`${beckon.base}/#/`);
  await expect(
    backlog(page).locator('[data-task]').first(),
    'the board does not wait',
  ).toBeVisible();
  await expect(backlog(page).locator('.count'), 'what is not known is not counted').toHaveText('');

  send();
  await expect(backlog(page).locator('.count')).toHaveText(String(many - 1));
  await expect(page.getByRole('link', { name: 'Archive' }).locator('.count')).toHaveText('1');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('oldest saw');
  await expect(page.getByRole('option', { name: /Sharpen the oldest saw/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`${beckon.base}/#/task/SAM-1`);
  await expect(page.getByRole('heading', { name: 'Sharpen the oldest saw' })).toBeVisible();
});
