import type { Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';

/** Two cards whose agents died with a question open. */
async function orphaned(page: Page, beckon: Beckon): Promise<Task[]> {
  const tasks = await beckon.openWith(page, { title: 'One' }, { title: 'Two' });
  await expect(page).toHaveTitle('(2) Beckon');
  await beckon.kill();
  await beckon.serve();
  await beckon.open(page);
  await expect(page).toHaveTitle('(2) Beckon');
  await expect(page.getByRole('region', { name: /^Review, 2 tasks/ })).toBeVisible();
  return tasks;
}

test('what is deleted leaves every screen, with its question, and without a reload', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right');
  const [first] = await orphaned(page, beckon);
  const inbox = page.getByRole('link', { name: /^Inbox/ });
  await expect(inbox).toContainText('2');

  const { token } = await beckon.call<{ token: string }>(page, 'Loss', first!.id);
  await beckon.call(page, 'DeleteTask', first!.id, token);
  await expect(page).toHaveTitle('(1) Beckon');
  await expect(inbox).toContainText('1');
  await expect(page.getByRole('article', { name: /SAM-1/ })).toHaveCount(0);

  await inbox.click();
  await expect(page.getByText('Which one?').first()).toBeVisible();
  const frame = await beckon.call<{ events: { project?: { id: string } }[] }>(
    page,
    'Attach',
    'another',
  );
  await beckon.call(
    page,
    'RemoveProject',
    frame.events.find((event) => event.project)!.project!.id,
  );
  await expect(page).toHaveTitle('Beckon');
  await expect(page.getByText('Which one?')).toHaveCount(0);
  await page.goto(`${beckon.base}/#/mission`);
  await expect(page.getByText('SAM-2')).toHaveCount(0);
});
