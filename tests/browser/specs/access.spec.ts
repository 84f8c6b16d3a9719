import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, openFull } from '../support/sample';
import { leave, missions, overlays, pages, type Screen, visit } from '../support/screens';

test('who cannot see the first run can use it', { tag: '@smoke' }, async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible();
  await judge(page, 'first run');
  await page.getByRole('button', { name: 'Add a project' }).click();
  await page.getByLabel('Folder').fill(beckon.repo.dir);
  await expect(page.getByLabel('Trust this project')).toBeVisible();
  await judge(page, 'add a project');
  await page.keyboard.press('Escape');
  await beckon.addProject(page);
  await expect(page.getByRole('region', { name: /^Running/ })).toBeVisible();
  await judge(page, 'empty board');
  await beckon.open(page, '#/inbox');
  await judge(page, 'empty inbox');
});

const half = (of: (Screen & { layout?: number })[], which: 0 | 1) =>
  of.filter((_, i) => i % 2 === which);

// Each part has a board of its own, so that they are judged side by side.
for (const part of [0, 1] as const) {
  test(
    `who cannot see the full board can use its pages, part ${part + 1}`,
    { tag: '@smoke' },
    async ({ page, start }) => {
      test.slow();
      const beckon = await start(...agents);
      const full = await openFull(beckon, page);
      for (const screen of half([...pages(full), ...missions], part)) {
        await visit(beckon, page, screen);
        await judge(page, screen.name);
      }
    },
  );

  test(
    `who cannot see the full board can use what opens over it, part ${part + 1}`,
    { tag: '@smoke' },
    async ({ page, start }) => {
      test.slow();
      const beckon = await start(...agents);
      const full = await openFull(beckon, page);
      for (const screen of half(overlays(full), part)) {
        await visit(beckon, page, screen);
        await judge(page, screen.name);
        await leave(page, screen);
      }
    },
  );
}

test(
  'who cannot see a question can read it and answer',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    await openFull(beckon, page);
    await page.getByRole('article', { name: /SAM-1/ }).focus();
    await judge(page, 'a card with its answers');
    await beckon.open(page, '#/inbox');
    await page
      .getByRole('navigation', { name: 'Questions' })
      .getByRole('link', { name: /overlaps/ })
      .click();
    await expect(page.getByRole('group', { name: /overlaps/ })).toBeVisible();
    await judge(page, 'inbox');
    await page.getByRole('link', { name: /Allow rm/ }).click();
    await expect(page.getByRole('group', { name: 'Claude wants to run a command' })).toBeVisible();
    await judge(page, 'inbox with a permission');
  },
);
