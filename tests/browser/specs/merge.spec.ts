// What a branch becomes on its base is the person's choice, and can be taken back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

const who = '-c user.name=Test -c user.email=test@localhost';
const agent = [
  'write src/one.txt one',
  'run git add -A',
  `run git ${who} commit -qm "Add one"`,
  'write src/two.txt two',
  'run git add -A',
  `run git ${who} commit -qm "Add two" -m "Co-authored-by: Claude <noreply@anthropic.com>"`,
  'text Done.',
].join('\n');

async function inReview(page: Page): Promise<void> {
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
}

test('the brief says how far the branch is behind its base, until it has what the base has', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Count to two' });
  await inReview(page);
  writeFileSync(join(beckon.repo.dir, 'elsewhere.txt'), 'meanwhile');
  beckon.repo.git('add', '-A');
  beckon.repo.git('commit', '-qm', 'Meanwhile');
  await beckon.open(page, '#/task/SAM-1');
  const brief = page.getByRole('complementary', { name: 'Task' });
  await expect(brief).toContainText(/main\s*[0-9a-f]{7}\s*1 behind/);
  await page.getByRole('tab', { name: /Changes/ }).click();
  await page.getByRole('button', { name: /^Update from main/ }).click();
  await expect(page.getByRole('button', { name: /^Update from main/ })).toBeHidden();
  await page.getByRole('tab', { name: /Session/ }).click();
  await expect(brief).not.toContainText('behind');
});

test(
  'a branch is squashed with an edited message, by keys, and taken back',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(agent);
    await beckon.openWith(page, { title: 'Count to two' });
    await inReview(page);
    const before = beckon.repo.git('rev-parse', 'main').trim();
    await beckon.open(page, '#/task/SAM-1/changes');
    await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();

    await page.keyboard.press('Shift+M');
    const ways = page.getByRole('menu', { name: 'Choose how to merge' });
    await expect(ways.getByRole('menuitemradio', { name: /^Merge commit/ })).toBeFocused();
    await expect(ways.getByRole('menuitemradio', { name: /^Merge commit/ })).toContainText(
      'Keeps the 2 commits, adds one. Project default',
    );
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Squash into main/ })).toBeFocused();

    await page.keyboard.press('Shift+M');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Merge SAM-1 into main' });
    const message = sheet.getByRole('textbox', { name: 'Commit message' });
    await expect(message).toHaveValue(
      'SAM-1: Count to two\n\n- Add one\n- Add two\n\nCo-authored-by: Claude <noreply@anthropic.com>',
    );
    await expect(message).toBeFocused();
    await message.fill('Count\n\nTo two, and no further.');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();

    await page.keyboard.press('Shift+M');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(message, 'what was typed is kept').toHaveValue('Count\n\nTo two, and no further.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
    expect(beckon.repo.git('log', '-1', '--format=%P|%B', 'main').trim()).toBe(
      `${before}|Count\n\nTo two, and no further.`,
    );
    expect(beckon.repo.git('show', 'main:src/two.txt')).toContain('two');

    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => beckon.repo.git('rev-parse', 'main').trim()).toBe(before);
    await expect(page.getByRole('button', { name: /^Squash into main/ })).toBeEnabled();
  },
);

test('a project that rebases does so by one key, and what a dirty folder refuses is said', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Count to two' });
  await inReview(page);
  await beckon.open(page, '#/settings/SAM');
  const way = page.getByRole('combobox', { name: 'How tasks are merged' });
  await expect(way).toHaveAttribute('value', 'merge');
  await saved(page, () => choose(way, 'rebase'));
  await page.reload();
  await expect(way).toHaveAttribute('value', 'rebase');

  await beckon.open(page, '#/task/SAM-1/changes');
  await expect(page.getByRole('button', { name: /^Rebase onto main/ })).toBeEnabled();
  writeFileSync(join(beckon.repo.dir, 'src/greet.ts'), 'half done');
  await page.keyboard.press('m');
  await expect(
    page
      .getByRole('alert')
      .or(page.getByRole('status'))
      .filter({ hasText: /not clean/ })
      .first(),
  ).toBeVisible();
  expect(beckon.repo.git('log', '--format=%s', 'main')).not.toContain('Add one');

  beckon.repo.git('checkout', '-q', '--', 'src/greet.ts');
  await page.keyboard.press('m');
  await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
  expect(beckon.repo.git('log', '-2', '--format=%s %an', 'main').trim()).toBe(
    'Add two Test\nAdd one Test',
  );
});

test('what main has by now comes into the branch by one key', async ({ page, start }) => {
  const beckon = await start(agent);
  await beckon.openWith(page, { title: 'Count to two' });
  await inReview(page);
  writeFileSync(join(beckon.repo.dir, 'src/greet.ts'), 'export const greet = () => "good day";\n');
  beckon.repo.git('commit', '-qam', 'say good day');
  const main = beckon.repo.git('rev-parse', 'main').trim();

  await beckon.open(page, '#/task/SAM-1/changes');
  const bar = page.getByRole('group', { name: 'Merge' });
  await expect(bar).toContainText('2 commits, 2 files, 1 behind');
  await expect(bar.getByRole('button', { name: /^Update from main/ })).toBeEnabled();
  await page.keyboard.press('u');
  await expect(page.getByText('Brought main into SAM-1')).toBeVisible();
  await expect(bar).toContainText('3 commits, 2 files');
  await expect(bar.getByRole('button', { name: /^Update from main/ })).toBeHidden();
  const branch = beckon.repo
    .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/beckon/')
    .trim();
  expect(beckon.repo.git('log', '-1', '--format=%s', branch).trim()).toBe(
    `Merge main into ${branch}`,
  );
  expect(beckon.repo.git('show', `${branch}:src/greet.ts`)).toContain('good day');
  expect(beckon.repo.git('rev-parse', 'main').trim()).toBe(main);
});

test('what would steer something here is merged by who saw it', async ({ page, start }) => {
  const beckon = await start(
    'write .mcp.json {}\nwrite .devcontainer/devcontainer.json {}\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Lend a server' });
  await inReview(page);
  await beckon.open(page, '#/task/SAM-1/changes');
  await page.getByRole('button', { name: /^Merge into main/ }).click();
  const sheet = page.getByRole('dialog', { name: /SAM-1 changes what runs on this computer/ });
  await expect(sheet).toContainText('.devcontainer/devcontainer.json, .mcp.json');
  await expect(sheet.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await judge(page, 'what would steer something here');
  await page.keyboard.press('Escape');
  expect((await beckon.tasks(page)).find(({ id }) => id === task!.id)!.status).toBe('review');
  await page.getByRole('button', { name: /^Merge into main/ }).click();
  await sheet.getByRole('button', { name: /^Merge, I know/ }).click();
  await expect(page.getByText('Merged SAM-1 into main')).toBeVisible();
  expect(beckon.repo.git('show', '--name-only', '--format=', 'main^2')).toContain('.mcp.json');
});
