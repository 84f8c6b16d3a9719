// Whether the computer stays awake while agents work is asked once, and set where it was.
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('an agent that works for long has it asked once whether to stay awake', async ({
  page,
  start,
}) => {
  let about: object | undefined;
  await page.route('**/rpc/About', async (route) => {
    about ??= { ...(await (await route.fetch()).json()), awake: 'idle' };
    await route.fulfill({ json: about });
  });
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + ((globalThis as { ahead?: number }).ahead ?? 0);
  });
  const beckon = await start('expect go on\ntext Done.');
  await beckon.openWith(page, { title: 'Long', status: 'running' });
  await expect(page.getByRole('region', { name: /^Running, 1 task/ })).toBeVisible();
  const asks = page.getByRole('button', { name: 'Keep awake' });
  await expect(page.getByRole('article', { name: /^SAM-1/ })).toBeVisible();
  await expect(asks).toHaveCount(0);
  await page.evaluate(() => Object.assign(globalThis, { ahead: 6 * 60_000 }));
  await expect(asks).toBeVisible({ timeout: patience(10_000) });
  await judge(page, 'the question whether to stay awake');
  await asks.click();
  await expect(asks).toHaveCount(0);

  await beckon.open(page, '#/settings/general');
  await expect(page.getByRole('switch', { name: 'Keep this computer awake' })).toBeChecked();
  await choose(page.getByLabel('On battery'), 'Until 50 % is left');
  await beckon.open(page, '#/');
  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { ahead: 6 * 60_000 }));
  await expect(page.getByRole('article', { name: /^SAM-1/ })).toContainText('6 min');
  await expect(asks, 'it is asked once').toHaveCount(0);
  await beckon.open(page, '#/settings/general');
  await expect(page.getByLabel('On battery')).toHaveAttribute('value', '50');
});

test('after a sleep it is said once how long it was and whom it met', async ({ page, start }) => {
  const at = (hour: number, minute: number) => new Date().setHours(hour, minute, 0, 0);
  const slept = { from: at(1, 10), to: at(7, 2), runs: ['one', 'two'], questions: ['three'] };
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.route('**/rpc/Attach', async (route) => {
    const response = await route.fetch();
    const frame = (await response.json()) as { events: { slept?: object }[] };
    const events = [...frame.events.filter((event) => event.slept === undefined), { slept }];
    await route.fulfill({ json: { ...frame, events } });
  });
  await page.reload();
  const said = page.getByText(
    'This computer slept from 01:10 to 07:02. 2 runs went on after that. 1 question waited, and its clock stood still.',
  );
  await expect(said).toBeVisible();
  await judge(page, 'what is said after a sleep');
  await page.getByRole('button', { name: 'Got it' }).click();
  await expect(said).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('article', { name: /^SAM-1/ })).toBeVisible();
  await expect(said).toHaveCount(0);
});

test.describe('where nothing can keep the computer awake', () => {
  const nowhere = 'unix:path=/nowhere';
  test.use({
    env: { DBUS_SYSTEM_BUS_ADDRESS: nowhere, DBUS_SESSION_BUS_ADDRESS: nowhere },
  });
  test('the settings say so', async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.open(page, '#/settings/general');
    await beckon.addProject(page);
    await expect(page.getByText('Nothing on this computer can keep it awake')).toBeVisible();
  });
});
