import type { Page } from '@playwright/test';

/**
 * Opens a page of the same browser in a window of its own. A tab beside the
 * page would hide it, and what is hidden is drawn once a second.
 */
export async function newWindow(page: Page): Promise<Page> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const { browserContextId } = targetInfo;
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    session.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      ...(browserContextId === undefined ? {} : { browserContextId }),
    }),
  ]);
  await session.detach();
  return other;
}
