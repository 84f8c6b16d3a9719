// The worktree of a task is one key away; in a browser, as a path to go to.
import { existsSync } from 'node:fs';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test(
  'O copies the path of a worktree, the command for a terminal and the branch, by keys alone',
  { tag: '@smoke' },
  async ({ page, start, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const beckon = await start('write src/one.txt one\ntext Done.');
    await beckon.openWith(page, { title: 'Count' });
    const card = page.getByRole('article', { name: /^SAM-1, Review/ });
    await expect(card).toBeVisible({ timeout: patience(20_000) });
    await card.focus();
    await page.keyboard.press('o');
    const menu = page.getByRole('menu', { name: 'Open SAM-1 in' });
    await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeFocused();
    await judge(page, 'the menu of what opens a worktree');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(card).toBeFocused();

    await page.keyboard.press('o');
    await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^Copied \//)).toBeVisible();
    const path = await copied();
    expect(existsSync(`${path}/src/one.txt`)).toBe(true);

    await beckon.open(page, '#/task/SAM-1');
    await expect(page.getByRole('tab', { name: /Session/ })).toBeVisible();
    await page.keyboard.press('o');
    await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeFocused();
    await page.keyboard.press('2');
    await expect.poll(copied).toBe(`cd '${path}'`);
    await page.getByRole('button', { name: 'Open in…' }).click();
    await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(copied).toMatch(/^beckon\/sam-1-count/);
  },
);

test('a path among the changes and in what a check printed opens the file at its line', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'write src/one.txt "one\\ntwo"\nwrite src/two.txt "one\\ntwo\\nthree"\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Count' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  const opens = (what: string) => page.getByRole('menu', { name: `Open ${what}, in` });
  await beckon.open(page, '#/task/SAM-1/changes');
  await page.locator('.filehead.inner').getByRole('button', { name: 'src/two.txt' }).last().click();
  await expect(opens('src/two.txt, line 1')).toBeVisible();
  await page.keyboard.press('Escape');

  const frame = await beckon.call<{ events: { project?: Record<string, unknown> }[] }>(
    page,
    'Attach',
    'browsertests',
  );
  const project = frame.events.flatMap((event) => event.project ?? [])[0]!;
  const check =
    'echo "    src/two.txt:3:1: is wrong, see http://localhost:80/"; echo "$PWD/src/one.txt:2"; exit 1';
  await beckon.call(page, 'EditProject', {
    ...project,
    scripts: { setup: '', check, dev: '', copied: [], spare: false },
  });
  await beckon.call(page, 'RunScript', task!.id, 'check');
  await beckon.open(page, '#/task/SAM-1/commands');
  const output = page.getByRole('region', { name: 'Output of Check' });
  await expect(output.getByRole('link')).toHaveCount(2);
  await output.getByRole('link', { name: 'src/two.txt:3:1' }).click();
  await expect(opens('src/two.txt, line 3')).toBeVisible();
  await judge(page, 'a line that a check names');
  await page.keyboard.press('Escape');
  await output.getByRole('link', { name: /one\.txt:2$/ }).focus();
  await page.keyboard.press('Enter');
  await expect(opens('src/one.txt, line 2')).toBeVisible();
});

test('where a task asks, O is the answer in one’s own words', async ({ page, start }) => {
  const beckon = await start(
    'ask_user {"question":"Which?","options":[{"label":"A"},{"label":"B"}]}\ntext Done.',
  );
  await beckon.openWith(page, { title: 'Count', policy: 'wait' });
  await expect(page.getByRole('article', { name: /^SAM-1, needs you/i })).toBeVisible();
  await beckon.open(page, '#/task/SAM-1');
  await expect(page.getByRole('button', { name: 'Open in…' })).toBeVisible();
  await page.waitForTimeout(newcomer); // a question that has just come takes no key
  await page.keyboard.press('o');
  await expect(page.getByLabel('Your own words').last()).toBeFocused();
  await expect(page.getByRole('menu', { name: 'Open SAM-1 in' })).toBeHidden();
});
