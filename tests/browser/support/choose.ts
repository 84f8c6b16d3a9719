import { expect, type Locator } from '@playwright/test';

/** Chooses in one of the page's own selects, as a pointer does. */
export async function choose(select: Locator, label: string): Promise<void> {
  await select.click();
  const list = select.page().getByRole('listbox').and(select.page().locator('[popover]'));
  await list.getByRole('option', { name: label, exact: true }).click();
  await expect(select).toHaveAttribute('aria-expanded', 'false');
  await expect(select).toContainText(label);
}
