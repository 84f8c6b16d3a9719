import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { root } from '../support/places';

const folder = `${root}build/screenshots`;

/** Takes a picture in both themes. */
export async function take(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.mouse.move(700, 895); // over nothing
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
}
