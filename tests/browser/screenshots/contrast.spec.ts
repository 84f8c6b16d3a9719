// The board, a question and a diff where the system decides on the colours.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { agents, kestrel, play } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

async function shows(page: Page, part: string): Promise<void> {
  await expect(page.locator(part).first()).toBeVisible();
}

test('forced colours', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { review } = await play(beckon, page);
  await page.emulateMedia({ forcedColors: 'active' });
  for (const [name, hash, part] of [['board', '#/', '.card.needs'], ['inbox', '#/inbox', '.q-detail'], ['mission', '#/mission', '.pane'], ['changes', `#/task/${review.key}/changes`, '.diff']] as const) {
    await beckon.open(page, hash);
    await shows(page, part);
    await take(page, `forced-${name}`);
  }
});
