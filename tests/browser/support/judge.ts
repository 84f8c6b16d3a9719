// Whether who cannot see a screen, or sees little, can use it.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settle } from './settle';

/** Judges what is shown, in both themes, of which the second can only differ in its colours. */
export async function judge(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settle(page);
    const axe = new AxeBuilder({ page }).setLegacyMode(); // there are no frames, for which it would open a page each time
    const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const said = grave.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
    expect.soft(said, `${screen}, ${colorScheme}`).toEqual([]);
  }
}
