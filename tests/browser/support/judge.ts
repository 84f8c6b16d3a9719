// Whether who cannot see a screen, or sees little, can use it.
import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { settle } from './settle';

/** Judges what is shown, in both themes, of which the second can only differ in its colours. */
export async function judge(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settle(page);
    const grave = (
      await violations(page, colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {})
    ).filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const said = grave.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
    );
    expect.soft(said, `${screen}, ${colorScheme}`).toEqual([]);
  }
}

/** What axe finds. It stays in the page: its 590 KB are sent and read once, and not for each screen. */
async function violations(page: Page, options: RunOptions): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (options) => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    return (await here.run({ ...options, resultTypes: ['violations'] })).violations;
  }, options);
}
