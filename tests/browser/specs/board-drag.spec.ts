// A card that is dragged by pointer, and let go where it may not stay.
import type { Locator, Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';

const agent = 'text Nothing to do.\n';

async function oneCard(page: Page, beckon: Beckon): Promise<Locator> {
  await beckon.openWith(page, { title: 'Stay movable', status: 'backlog' });
  return page.getByRole('article', { name: /Stay movable/ });
}

function lane(page: Page, name: string): Locator {
  return page.getByRole('region', { name: new RegExp(`^${name}`) });
}

/** Takes a card in hand and holds it over a point. */
async function carry(page: Page, card: Locator, x: number, y: number) {
  const from = (await card.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + 26, { steps: 4 });
  await page.mouse.move(x, y, { steps: 25 });
}

/** Drops a card into a column once the column shows that it would take it. */
async function drop(page: Page, card: Locator, into: Locator) {
  const to = (await into.boundingBox())!;
  await carry(page, card, to.x + to.width / 2, to.y + 140);
  await expect(into).toHaveClass(/\bover\b/);
  await page.mouse.up();
}

for (const [where, target, y] of [
  ['the heading of a column with cards', 'Backlog', 20],
  ['a column that refuses it', 'Review', 160],
] as const) {
  test(`a card that is let go over ${where} goes back and can be dragged again`, async ({
    page,
    start,
  }) => {
    const beckon = await start(agent);
    const card = await oneCard(page, beckon);
    const to = (await lane(page, target).boundingBox())!;
    await carry(page, card, to.x + to.width / 2, to.y + y);
    await page.mouse.up();
    await expect(lane(page, 'Backlog, 1 task')).toContainText('Stay movable');
    await expect(page.locator('.in-hand')).toHaveCount(0);

    await drop(page, card, lane(page, 'Done'));
    await expect(lane(page, 'Done, 1 task')).toContainText('Stay movable');
  });
}

test('an empty column takes a card anywhere, its heading and its hint too', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const card = await oneCard(page, beckon);
  for (const [name, y] of [
    ['Done', 20],
    ['Backlog', 20],
    ['Done', 62],
  ] as const) {
    const to = (await lane(page, name).boundingBox())!;
    await carry(page, card, to.x + 40, to.y + y);
    await expect(lane(page, name)).toHaveClass(/\bover\b/);
    await page.mouse.up();
    await expect(lane(page, `${name}, 1 task`)).toContainText('Stay movable');
  }
});
