import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';
import { leave, missions, overlays, pages, visit } from '../support/screens';
import { hittable } from '../support/targets';

const sizes = [{ width: 1440, height: 900 }, { width: 960, height: 640 }];

test('what can be pressed on a page can be hit', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...agents);
  const full = await openFull(beckon, page);
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const screen of [...pages(full), ...missions]) {
      await visit(beckon, page, screen);
      await hittable(page, `${screen.name}, ${size.width} wide`);
    }
  }
});

test('what can be pressed in what opens over a page can be hit', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...agents);
  const full = await openFull(beckon, page);
  for (const screen of overlays(full)) {
    await visit(beckon, page, screen);
    await hittable(page, screen.name);
    await leave(page, screen);
  }
});

test('what can be pressed on a question and on its card can be hit', async ({ page, start }) => {
  const beckon = await start(...agents);
  await openFull(beckon, page);
  await page.getByRole('article', { name: /SAM-1/ }).focus();
  await hittable(page, 'a card with its answers');
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const question of [/overlaps/, /Allow rm/]) {
      await beckon.open(page, '#/inbox');
      await page.getByRole('navigation', { name: 'Questions' }).getByRole('link', { name: question }).click();
      await expect(page.locator('div.ask')).toBeVisible();
      await hittable(page, `Inbox at ${question}, ${size.width} wide`);
    }
  }
});
