import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';

const notes = 'https://github.com/someone/beckon/releases/tag/v9.8.7';
const command = 'sudo apt install ./beckon_9.8.7_amd64.deb';

/** Has the program say that there is a newer version: the one of the tests has nobody to ask. */
async function release(page: Page) {
  await page.route('**/rpc/About', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), updates: true },
    });
  });
  await page.route('**/rpc/Attach', async (route) => {
    const response = await route.fetch();
    const frame = (await response.json()) as { events: { release?: object }[] };
    const events = frame.events.filter((event) => !event.release);
    events.push({
      release: {
        version: '9.8.7',
        page: notes,
        way: 'package',
        file: 'beckon_9.8.7_amd64.deb',
        command,
      },
    });
    await route.fulfill({ response, json: { ...frame, events } });
  });
  await page.reload();
}

test('About says what this Beckon is, and a newer version, with its page, how it is installed, and a way to hear no more of it', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/settings');
  await page.getByRole('link', { name: 'About' }).click();
  const about = page.locator('.set-in');
  await expect(about.getByRole('heading', { name: /^Beckon / })).toBeVisible();
  await expect(about, 'where the data is').toContainText(beckon.dir);
  await expect(about).toContainText(/Git Version \d+\.\d+/);
  await expect(
    page.getByRole('button', { name: 'Show in folder' }),
    'a browser shows no folders',
  ).toBeHidden();
  await expect(
    page.getByRole('switch', { name: 'Tell me about new versions' }),
    'nobody to ask',
  ).toBeHidden();

  await release(page);
  await expect(page.getByRole('switch', { name: 'Tell me about new versions' })).not.toBeChecked();
  await expect(page.getByText('Beckon 9.8.7 is out')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open its page' })).toHaveAttribute('href', notes);
  await expect(
    page.getByText('Get beckon_9.8.7_amd64.deb there, then run in its folder:'),
  ).toBeVisible();
  await expect(page.getByText(command)).toBeVisible();
  await judge(page, 'a newer version');

  const skipped = page.waitForRequest('**/rpc/SkipUpdate');
  await page.getByRole('button', { name: 'Skip this version' }).press('Enter');
  expect((await skipped).postDataJSON()).toEqual(['9.8.7']);
  // The page calls again once Beckon is gone, which ends with the test.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
