// What the person is notified of, how and when not: one table, which the page follows.
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

interface Settings {
  notify: { tell: Record<string, string>; quietFrom: number; quietTo: number };
}

/** The settings as a page that attaches has them. */
async function settingsOf(page: Page, beckon: Beckon): Promise<Settings> {
  const { events } = await beckon.call<{ events: { settings?: Settings }[] }>(
    page,
    'Attach',
    'settings',
  );
  return events.flatMap(({ settings }) => settings ?? [])[0]!;
}

const minuteNow = () => new Date().getHours() * 60 + new Date().getMinutes();

test('what comes in quiet hours waits, and one summary says so when they are over', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right\ntext Done.');
  await beckon.openWith(page, { title: 'Earlier', status: 'backlog' });
  const { projectId } = (await beckon.tasks(page))[0]!;
  const settings = await settingsOf(page, beckon);
  const quietFrom = (minuteNow() + 1380) % 1440;
  const notify = { ...settings.notify, quietFrom, quietTo: (minuteNow() + 60) % 1440 };
  await beckon.call(page, 'SaveSettings', { ...settings, notify });
  await beckon.addTask(page, projectId, { title: 'Asks', status: 'running' });
  await expect(page).toHaveTitle(/^\(1\)/, { timeout: patience(10_000) });
  await expect(page.locator('.toast')).toHaveCount(0);

  await beckon.call(page, 'SaveSettings', {
    ...settings,
    notify: { ...notify, quietFrom: 0, quietTo: 0 },
  });
  const toast = page.locator('.toast');
  await expect(toast).toContainText('The quiet hours are over. 1 question waits for you');
  await toast.getByRole('button', { name: 'Inbox' }).click();
  await expect(page).toHaveURL(/#\/inbox/);
});

test('each kind has its row, which keys choose in, and which is kept', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Earlier', status: 'backlog' });
  await beckon.open(page, '#/settings/notifications');
  const plan = page.getByRole('combobox', { name: 'A plan waits' });
  await expect(plan).toHaveText('Banner and sound');
  await plan.focus();
  const list = page.getByRole('listbox', { name: 'A plan waits' });
  const marked = () =>
    plan.evaluate(
      (button) =>
        document.getElementById(button.getAttribute('aria-activedescendant') ?? '')?.textContent,
    );
  await page.keyboard.press('ArrowDown');
  await expect(list).toBeVisible();
  await page.keyboard.press('End');
  expect(await marked()).toContain('Badge only');
  await page.keyboard.press('s');
  expect(await marked()).toContain('Sound');
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(plan, 'Esc leaves it as it was').toHaveText('Banner and sound');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(plan).toHaveText('Banner');
  await plan.click();
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).click();
  await expect(list, 'a click elsewhere closes it').toHaveCount(0);
  await choose(page.getByRole('combobox', { name: 'When a question still waits' }), 'After 15 min');
  await choose(page.getByRole('combobox', { name: 'A run is ready for review' }), 'Sound');
  await expect
    .poll(async () => (await settingsOf(page, beckon)).notify)
    .toMatchObject({
      remindMinutes: 15,
      tell: { plan: 'banner', review: 'sound', failed: 'both' },
    });
  await plan.click();
  await expect(list).toBeVisible();
  await judge(page, 'an open list of the settings');
});
