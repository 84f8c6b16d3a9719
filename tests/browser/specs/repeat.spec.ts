// A task that is done again and again: from its card, in the project's settings, and asked for
// by a program.
import { execFileSync } from 'node:child_process';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { program } from '../support/places';

test('a card repeats, and a program asks for its next one', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Update the dependencies', status: 'backlog' });
  const card = page.getByRole('article', { name: /^SAM-1, Backlog/ });
  await card.focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Repeat');
  await page.getByRole('option', { name: /^Repeat…/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Repeat in sample' });
  await expect(sheet.getByLabel('Title')).toHaveValue('Update the dependencies');
  await expect(sheet.getByLabel('Name for beckon run')).toHaveValue('update-the-dependencies');
  await expect(sheet).toContainText(/Next: .*7:00/);
  await judge(page, 'a task that is to repeat');
  await choose(sheet.getByLabel('Repeats'), 'cron');
  await sheet.getByLabel(/^Line of cron/).fill('61 * * * *');
  await expect(sheet).toContainText('is no line of cron');
  await choose(sheet.getByLabel('Repeats'), 'asked');
  await sheet.getByLabel('Name for beckon run').fill('deps');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();

  const run = () =>
    execFileSync(program, ['run', 'SAM/deps', '-data', beckon.data], {
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: patience(20_000),
    });
  expect(run().trim()).toBe('SAM-2');
  await expect(page.getByRole('article', { name: /^SAM-2, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  expect(run, 'the last one is not over').toThrow(/SAM-2 is not over/);

  await beckon.open(page, '#/settings/SAM');
  const group = page.locator('section', { hasText: 'Repeating tasks' });
  await expect(group).toContainText('deps');
  await expect(group).toContainText('SAM-2 is not over, so no new card was made.');
  await judge(page, 'what repeats in a project');
  await group.getByRole('button', { name: 'Edit…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await group.getByRole('button', { name: 'Delete deps' }).click();
  await expect(group).toContainText('Nothing repeats here.');
});
