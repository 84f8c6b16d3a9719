// A task over several repositories: its settings, one review of all, one merge that is all or nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { Repo } from '../support/repo';
import { saved } from '../support/settle';

const who = '-c user.name=Test -c user.email=test@localhost';
/** Works in the worktree of each repository. */
const agent = [
  'edit src/greet.ts hello hallo',
  'write src/result.ts @result',
  `run git ${who} commit -qam "say hallo"`,
  'run for r in proto dash; do cd ../*.with/$r && echo "both sides" >> words.txt && cp words.txt more.txt && git add -A && git ' +
    who +
    ' commit -qm "change $r" && cd - >/dev/null; done',
  'text Done in all three.',
  '-- result --',
  'export const missing = 0;',
  '',
].join('\n');

/** A board with a project that has two further repositories, in Review with changes in all. */
async function worked(page: Page, beckon: Beckon): Promise<Record<'proto' | 'dash', Repo>> {
  const repos = further(beckon);
  await beckon.open(page);
  const id = await beckon.addProject(page);
  const project = (
    await beckon.call<{ events: { project?: { id: string } }[] }>(page, 'Attach', 'browsertests')
  ).events.find((event) => event.project?.id === id)!.project!;
  await beckon.call(page, 'EditProject', {
    ...project,
    repositories: Object.entries(repos).map(([name, { dir }]) => ({
      name,
      dir,
      base: 'main',
      mergeWay: 'squash',
      fromStart: true,
    })),
  });
  await beckon.addTask(page, id, { title: 'Return partial results' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1/changes');
  await expect(head(page, 'proto')).toBeVisible();
  return repos;
}

function further(beckon: Beckon): Record<'proto' | 'dash', Repo> {
  const make = (name: string) =>
    Repo.make(beckon.dir, { name, files: { 'words.txt': 'one\ntwo\nthree\n' } });
  return { proto: make('proto'), dash: make('dash') };
}

const tree = (page: Page) => page.getByRole('tree', { name: 'Changed files in 3 repositories' });
const head = (page: Page, name: string) =>
  tree(page).getByRole('treeitem', { name: new RegExp(`^${name} `), expanded: true });
const plan = (page: Page) => page.getByRole('dialog', { name: 'Plan of the merge' });

test('the further repositories of a project are named by keys, and what is refused stays as it was typed', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const { proto, dash } = further(beckon);
  await beckon.open(page);
  await beckon.addProject(page);
  await beckon.open(page, '#/settings/SAM');
  const list = page.getByRole('list', { name: 'Repositories' });
  const folder = page.getByRole('combobox', { name: 'Folder' });
  await folder.fill(`${beckon.dir}/nowhere`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'nowhere' })).toBeVisible();
  await expect(folder, 'it can be mended').toHaveValue(`${beckon.dir}/nowhere`);
  for (const [i, { dir }] of [proto, dash].entries()) {
    await folder.fill(dir);
    await page.keyboard.press('Escape'); // folders that go on with it may be offered
    await page.getByRole('button', { name: 'Add repository' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(i + 1);
  }
  const names = () =>
    list
      .getByRole('textbox', { name: /^Name of/ })
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(await names()).toEqual(['proto', 'dash']);

  await list.getByRole('textbox', { name: 'Name of dash' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(names).toEqual(['dash', 'proto']);
  await expect(list.getByRole('textbox', { name: 'Name of dash' })).toBeFocused();
  await list
    .getByRole('combobox', { name: 'When a task gets proto' })
    .dispatchEvent('keydown', { key: 'ArrowUp', code: 'ArrowUp', altKey: true });
  expect(await names(), 'the keys of a list are its own').toEqual(['dash', 'proto']);
  const name = list.getByRole('textbox', { name: 'Name of proto' });
  await name.fill('../proto');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('alert')).toHaveCount(1);
  await name.fill('');
  await page.keyboard.press('Enter');
  await expect(name, 'it is as it was').toHaveValue('proto');
  await expect(list.getByRole('alert')).toHaveCount(0);
  const base = list.getByRole('textbox', { name: 'Base branch of proto' });
  await base.fill('nowhere');
  await page.keyboard.press('Enter');
  const row = list.getByRole('listitem', { name: 'proto' });
  await expect(row.getByRole('alert')).toContainText('nowhere');
  await expect(base).toHaveValue('nowhere');
  await judge(page, 'repositories of a project');
  await base.fill('main');
  await page.keyboard.press('Enter');
  await expect(row.getByRole('alert')).toHaveCount(0);
  await saved(page, () =>
    choose(list.getByRole('combobox', { name: 'When a task gets proto' }), 'need'),
  );
  await page.reload();
  await expect(list.getByRole('combobox', { name: 'When a task gets proto' })).toHaveAttribute(
    'value',
    'need',
  );
  await list.getByRole('button', { name: 'Remove dash' }).click();
  await expect.poll(names).toEqual(['proto']);
});

test('one review goes through all repositories, and files of one path are viewed and commented on apart', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await worked(page, beckon);
  await expect(head(page, 'proto')).toContainText('clean');
  const current = () => tree(page).getByRole('treeitem', { selected: true });
  const files = page.locator('.filehead');
  await expect(files.first()).toContainText(/proto.*more\.txt/s);

  await page.keyboard.press('v');
  await page.keyboard.press('j');
  await expect(page.getByText('1 of 6 viewed')).toBeVisible();
  await expect(current(), 'J goes on').toHaveAttribute('title', 'words.txt');
  await page.keyboard.press('j');
  await expect(current()).toHaveAttribute('title', 'more.txt');
  await page.keyboard.press('j');
  await expect(current(), 'into the next repository').toHaveAttribute('title', 'words.txt');
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: /^Comment on/ }).fill('Why both?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Changes', exact: true })).toBeFocused();
  await page.keyboard.press('}');
  await expect(current()).toHaveAttribute('title', 'src/greet.ts');
  await page.keyboard.press('{');
  await expect(current()).toHaveAttribute('title', 'more.txt');

  await page.reload();
  await expect(page.getByText('1 of 6 viewed'), 'of two more.txt one is viewed').toBeVisible();
  await expect(tree(page).getByRole('treeitem', { name: /words\.txt.*1 comment/ })).toHaveCount(1);
  await page.getByRole('textbox', { name: 'Filter files, repo:' }).fill('repo:dash words');
  await expect(tree(page).getByRole('treeitem')).toHaveCount(2);
  await expect(tree(page).getByRole('treeitem', { name: /words\.txt.*1 comment/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await head(page, 'dash').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tree(page).getByRole('treeitem', { name: /^dash /, expanded: false })).toBeFocused();
  await expect(tree(page).getByRole('treeitem')).toHaveCount(7);
  await page.keyboard.press('ArrowDown');
  await expect(head(page, 'sample')).toBeFocused();
  await judge(page, 'changes in three repositories');
});

test('a conflict in one repository is shown, and left out of the merge of the others', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const { proto, dash } = await worked(page, beckon);
  writeFileSync(join(dash.dir, 'words.txt'), 'one\ntwo\nthree\nanother\n');
  dash.git('commit', '-qam', 'add another');
  const before = dash.git('rev-parse', 'main');
  await page.reload();
  await expect(page.getByText('Would conflict in 1 of 3 repositories')).toBeVisible();
  await expect(head(page, 'dash')).toContainText('conflict');
  await expect(
    page.getByRole('button', { name: 'Merge into main in 3 repositories' }),
  ).toBeDisabled();

  await page.keyboard.press('m');
  await expect(plan(page).getByRole('listitem').filter({ hasText: 'dash' })).toBeFocused();
  await expect(plan(page)).toContainText(/words\.txt, 1 hunk, 1 commit by Test/);
  await judge(page, 'the plan of a merge');
  await page.keyboard.press('2');
  await expect(
    page.getByRole('region', { name: 'dash: Conflicts in 1 file with main' }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Conflicts in words.txt' })).toContainText(
    /another.*both sides/s,
  );
  await page.getByRole('button', { name: 'Show all changes' }).click();

  await page.keyboard.press('Shift+M');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(plan(page).getByRole('listitem').first()).toContainText('dash');
  await page.keyboard.press('x');
  await expect(head(page, 'dash')).toContainText('left out');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Merged SAM-1 into main in 2 repositories')).toBeVisible();
  await expect(head(page, 'proto')).toContainText('merged');
  expect(proto.git('show', 'main:more.txt')).toContain('both sides');
  expect(beckon.repo.git('show', 'main:src/greet.ts')).toContain('hallo');
  expect(dash.git('rev-parse', 'main'), 'it was left out').toBe(before);
  const [task] = await beckon.tasks(page);
  expect(task!.status, 'until the third is in').toBe('review');
});

test('the work in three repositories is merged by one key', async ({ page, start }) => {
  const beckon = await start(agent);
  const repos = await worked(page, beckon);
  writeFileSync(join(repos.proto.dir, 'meanwhile.txt'), 'meanwhile');
  repos.proto.git('add', '-A');
  repos.proto.git('commit', '-qm', 'Meanwhile');
  await page.reload();
  await expect(head(page, 'proto')).toContainText('1 behind');
  await page.keyboard.press('u');
  await expect(page.getByText('Updated SAM-1 in 1 repository')).toBeVisible();
  await expect(
    page.getByRole('button', { name: /^Undo/ }),
    'an undo would take back what was before',
  ).toHaveCount(0);
  await expect(head(page, 'proto')).toContainText('clean');
  await expect(page.getByText('Merges cleanly in 3 repositories')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('Merge…');
  await page.getByRole('option', { name: /^Merge…/ }).click();
  await expect(plan(page), 'one looks before all are merged').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plan(page)).toHaveCount(0);
  await page.keyboard.press('m');
  await expect(page.getByText('Merged SAM-1 into main in 3 repositories')).toBeVisible();
  for (const repo of [repos.proto, repos.dash])
    expect(repo.git('show', 'main:more.txt')).toContain('both sides');
  expect(beckon.repo.git('show', 'main:src/greet.ts')).toContain('hallo');
  await expect.poll(async () => (await beckon.tasks(page))[0]!.status).toBe('done');
  await page.keyboard.press('ControlOrMeta+z');
  await expect
    .poll(async () => (await beckon.tasks(page))[0]!.status, 'all come back')
    .toBe('review');
  for (const repo of [repos.proto, repos.dash])
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('more.txt');
});
