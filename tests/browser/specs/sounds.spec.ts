// The sound of an agent that needs somebody: heard once, whatever is open, and never for what is done.
import type { Page } from '@playwright/test';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const played = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { tones?: number[] }).tones ?? []);

test('an agent that asks is heard once over all windows, and one that is done is not', async ({
  page,
  start,
}) => {
  await page.context().addInitScript(() => {
    const tones: number[] = [];
    Object.assign(globalThis, { tones });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
      tones.push(this.frequency.value);
      start.call(this, at);
    };
  });
  const beckon = await start('ask Which one? | Left | Right\ntext Done.');
  await beckon.openWith(page, { title: 'Earlier', status: 'backlog' });
  const { projectId } = (await beckon.tasks(page))[0]!;
  const other = await newWindow(page);
  await other.goto(`${beckon.base}/#/`);
  await expect(other.getByRole('article', { name: /SAM-1/ })).toBeVisible();
  await other.locator('header.bar').click();

  await beckon.open(page, '#/settings/notifications');
  const choice = page.getByRole('combobox', { name: 'Sound', exact: true });
  await expect(choice).toHaveText('As the banner');
  await choose(choice, 'Knock');
  await expect.poll(() => played(page)).toEqual([196, 196]);
  await page.getByRole('button', { name: 'Listen' }).click();
  await expect.poll(() => played(page)).toHaveLength(4);
  await choose(choice, 'Two tones');
  await expect.poll(() => played(page)).toHaveLength(6);

  const rung = async () => [...(await played(page)).slice(6), ...(await played(other))];
  const task = await beckon.addTask(page, projectId, { title: 'Asks', status: 'running' });
  await expect.poll(rung, { timeout: patience(10_000) }).toEqual([523, 784]);
  for (const window of [page, other]) await expect(window).toHaveTitle(/^\(1\)/);

  const [question] = await beckon.questions(page, task);
  await beckon.call(page, 'AnswerQuestion', question!.id, {
    items: [{ labels: ['Left'], other: '' }],
  });
  await beckon.open(page, '#/');
  await expect(
    page.getByRole('region', { name: /^Review/ }).getByRole('article', { name: /Asks/ }),
  ).toBeVisible({ timeout: patience(10_000) });
  expect(await rung()).toEqual([523, 784]);
});
