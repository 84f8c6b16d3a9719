// How wide the rail is: slim where one works, unless the person wants it otherwise.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { hittable } from '../support/targets';
import { patience } from '../support/patience';

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const width = async (page: Page) => (await rail(page).boundingBox())!.width;

test('the session, the diff and the panes have the room of the rail, until the person wants it there', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right');
  const [task] = await beckon.openWith(page, { title: 'Choose' });
  await expect(page.getByRole('article', { name: /^SAM-1, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  expect(await width(page), 'beside the board').toBe(216);
  const working = [`#/task/${task!.key}`, `#/task/${task!.key}/changes`, '#/mission'];
  for (const hash of working) {
    await beckon.open(page, hash);
    await expect.poll(() => width(page), { message: hash }).toBe(52);
    for (const name of [
      'Search',
      'Inbox',
      'Mission Control',
      'Board',
      'sample',
      'Archive',
      'Settings',
    ]) {
      const way = rail(page).getByRole(name === 'Search' ? 'button' : 'link', {
        name: new RegExp(`^${name}`),
      });
      await expect(way, `${name} is said`).toBeInViewport({ ratio: 1 });
      await expect(way, `${name} is shown to the pointer`).toHaveAttribute('title', name);
    }
    await expect(
      rail(page)
        .getByRole('link', { name: /^Inbox/ })
        .locator('.badge'),
    ).toHaveText('1');
    await hittable(page, `slim rail on ${hash}`);
    await judge(page, `slim rail on ${hash}`);
  }

  await page.keyboard.press('[');
  await expect.poll(() => width(page), 'wider by a key').toBe(216);
  await page.reload();
  await expect.poll(() => width(page), 'kept').toBe(216);
  await beckon.open(page, working[0]);
  await expect.poll(() => width(page), 'on the other pages where one works, too').toBe(216);
  await rail(page).getByRole('button', { name: 'Collapse sidebar' }).click();
  await expect.poll(() => width(page)).toBe(52);

  await beckon.open(page, '#/');
  await expect.poll(() => width(page), 'the board keeps its own').toBe(216);
  await page.keyboard.press('ControlOrMeta+b');
  await expect.poll(() => width(page)).toBe(52);
  await beckon.open(page, '#/inbox');
  await expect.poll(() => width(page)).toBe(52);
});

test('beside a slim rail a toast lies over the brief or the files of a task, where nothing decides', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'match: End\nwrite other.txt text\ntext Done.',
    'write new.txt text\ntext Done.',
  );
  const tasks = await beckon.openWith(page, { title: 'Finish' }, { title: 'End' });
  for (const [i, place] of ['aside.brief', '.review > .side'].entries()) {
    await beckon.open(page, '#/board');
    await expect(
      page.getByRole('article', { name: new RegExp(`^${tasks[i]!.key}, Review`) }),
    ).toBeVisible({ timeout: patience(20_000) });
    await beckon.open(page, `#/task/${tasks[i]!.key}/changes`);
    const brief = page.getByRole('button', { name: 'Brief' });
    if ((await brief.getAttribute('aria-expanded')) !== String(i === 0)) await brief.click();
    const under = page.locator(place);
    await expect(under).toBeVisible();
    const merge = page.getByRole('button', { name: /^Merge/ });
    await expect(merge).toBeEnabled();
    const box = (await under.boundingBox())!;
    await merge.click();
    const toast = page.locator('.toast');
    await expect(toast).toBeVisible();
    const over = (await toast.boundingBox())!;
    expect(over.x).toBeGreaterThanOrEqual(box.x);
    expect(over.x + over.width, place).toBeLessThanOrEqual(box.x + box.width);
  }
});

test('beside a slim rail a toast of the board leaves its bar free', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.keyboard.press('ControlOrMeta+b');
  await expect.poll(() => width(page)).toBe(52);
  for (const size of [1440, 760]) {
    await page.setViewportSize({ width: size, height: 800 });
    const card = page.getByRole('article', { name: /^SAM-1/ });
    await card.focus();
    await page.keyboard.press('a');
    const toast = page.locator('.toast');
    await toast.hover(); // so that it stays
    const over = (await toast.boundingBox())!;
    const bar = (await page
      .getByRole('main')
      .getByRole('button', { name: /^Filter/ })
      .boundingBox())!;
    expect(over.y, `at ${size}`).toBeGreaterThanOrEqual(bar.y + bar.height);
    await toast.getByRole('button', { name: /^Undo/ }).click();
    await expect(card).toBeVisible();
  }
});
