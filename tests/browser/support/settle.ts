import type { Page } from '@playwright/test';

/** Waits until nothing on the page moves any more, apart from what always does. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const painted = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await painted();
    const ends = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((one) => one.finished));
    await painted();
  });
}

/** Does what has the page save something of a project, and waits until Beckon has answered. */
export async function saved(page: Page, act: () => Promise<unknown>): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/rpc/EditProject'));
  await act();
  await answered;
}
