import { expect, type Locator } from '@playwright/test';

/** Chooses in one of the page's own selects, by a label or a value, as a pointer does. */
export async function choose(select: Locator, what: string): Promise<void> {
  await select.click();
  const options = select.page().locator('[role="listbox"][popover] > [role="option"]');
  const named = select.page().getByRole('option', { name: what, exact: true });
  const valued = select.page().locator(`[data-value="${what}"]`);
  await options.and(named.or(valued)).click();
  await expect(select).toHaveAttribute('aria-expanded', 'false');
}
