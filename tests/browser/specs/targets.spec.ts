import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';
import { leave, missions, overlays, pages, visit } from '../support/screens';
import { settle } from '../support/settle';
import { hittable } from '../support/targets';
import { patience } from '../support/patience';

const sizes = [
  { width: 1440, height: 900 },
  { width: 960, height: 640 },
];

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
      await page
        .getByRole('navigation', { name: 'Questions' })
        .getByRole('link', { name: question })
        .click();
      await expect(page.locator('div.ask')).toBeVisible();
      await hittable(page, `Inbox at ${question}, ${size.width} wide`);
    }
  }
});

test('what can be pressed at the first start can be hit, with and without Claude Code', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start('text Done.');
  await beckon.open(page);
  const checks = page.getByRole('list', { name: 'Checks' });
  await expect(checks).toContainText('Claude Code');
  await atEachSize(page, 'the first run');

  await page.getByRole('button', { name: 'Add a project' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a project' });
  await sheet.getByLabel('Folder').fill(beckon.repo.dir);
  await expect(sheet.getByRole('list', { name: 'What Beckon found' })).toContainText(
    'Git repository',
  );
  await atEachSize(page, 'a folder that was found');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.route('**/rpc/About', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      json: { ...(await reply.json()), claudeTrouble: 'missing', claudeVersion: '' },
    });
  });
  await page.reload();
  await expect(checks.getByRole('button', { name: 'Check again' })).toBeVisible();
  await atEachSize(page, 'the first run without Claude Code');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('what can be pressed where trust, closing or a loss is asked about can be hit', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start('write src/new.txt hello');
  await beckon.open(page);
  const project = {
    dir: beckon.repo.dir,
    name: 'sample',
    key: 'SAM',
    base: 'main',
    trusted: false,
  };
  const { id } = await beckon.call<{ id: string }>(page, 'AddProject', project);
  await beckon.addTask(page, id, { title: 'Try it out', status: 'backlog' });
  const card = (lane: string) => page.getByRole('article', { name: new RegExp(`^SAM-1, ${lane}`) });
  await card('Backlog').focus();
  await page.keyboard.press('q');
  const trust = page.getByRole('button', { name: /Trust sample and start/ });
  await expect(trust).toBeEnabled();
  await atEachSize(page, 'the trust of a project');
  await trust.click();

  await expect(card('Review')).toBeVisible({ timeout: patience(20_000) });
  const said = page.locator('[aria-live="assertive"]');
  await card('Review').focus();
  await page.keyboard.press('Space');
  await expect(said).toContainText('SAM-1 lifted');
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText('Done, 1 of 1');
  await page.keyboard.press('Space');
  const close = page.getByRole('dialog', { name: 'Close SAM-1 without merging?' });
  await expect(close).toContainText('1 commit is not in main.');
  await atEachSize(page, 'what closing leaves');
  await page.keyboard.press('Escape');
  await expect(close).toBeHidden();

  await beckon.open(page, '#/task/SAM-1');
  for (const item of ['Retry from start…', 'Discard the work…', 'Delete the task…']) {
    await page.locator('header.bar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    const loss = page.getByRole('dialog');
    await expect(loss).toContainText('1 commit');
    await atEachSize(page, item);
    await page.keyboard.press('Escape');
    await expect(loss).toBeHidden();
  }
});

async function atEachSize(page: Page, what: string) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await settle(page);
    await hittable(page, `${what}, ${size.width} wide`);
  }
}
