import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';

/** Judges what is shown, in both themes. */
async function judge(page: Page, screen: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(400); // colours that change, change slowly
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const said = grave.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
    expect.soft(said, `${screen}, ${colorScheme}`).toEqual([]);
  }
}

test('who can not see the first run can use it', async ({ page, start }) => {
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

test('who can not see the full board can use every screen', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...agents);
  const { ask, finish, fail } = await openFull(beckon, page);
  await judge(page, 'full board');
  await page.getByRole('article', { name: /SAM-1/ }).focus();
  await judge(page, 'a card with its answers');
  await page.getByRole('button', { name: /^New task/ }).first().click();
  await judge(page, 'new task');
  await page.keyboard.press('Escape');

  const screens = { session: `#/task/${ask.key}`, changes: `#/task/${finish.key}/changes`, runs: `#/task/${fail.key}/runs`, stopped: `#/task/${fail.key}`, settings: '#/settings', notifications: '#/settings/notifications', 'settings of a project': '#/settings/SAM' };
  for (const [screen, hash] of Object.entries(screens)) {
    await beckon.open(page, hash);
    await page.waitForTimeout(500);
    await judge(page, screen);
  }
  await beckon.open(page, '#/inbox');
  await page.getByRole('navigation', { name: 'Questions' }).getByRole('link', { name: /overlaps/ }).click();
  await expect(page.getByRole('group', { name: /overlaps/ })).toBeVisible();
  await judge(page, 'inbox');
  await page.getByRole('link', { name: /Allow rm/ }).click();
  await judge(page, 'inbox with a permission');
});
