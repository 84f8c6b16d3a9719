// A branch that conflicts with its base is resolved from its page, and nothing is lost meanwhile.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';

const who = '-c user.name=Test -c user.email=test@localhost';
const agents = [
  // As the agent would: theirs is the side of the branch that is rebased.
  `match: conflicts with main\nrun git ${who} rebase -q -X theirs main\ntext Rebased.`,
  `edit src/greet.ts hello hallo\nrun git ${who} commit -qam "say hallo"\ntext Greeted.`,
];

test('a conflict names its files, and Claude resolves it in the worktree', async ({ page, start, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const beckon = await start(...agents);
  await beckon.openWith(page, { title: 'Greet in German' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({ timeout: 20_000 });
  writeFileSync(join(beckon.repo.dir, 'src/greet.ts'), 'export const greet = () => "good day";\n');
  beckon.repo.git('commit', '-qam', 'say good day');
  const before = beckon.repo.git('rev-parse', 'main').trim();

  await beckon.open(page, '#/task/SAM-1/changes');
  const panel = page.getByRole('region', { name: 'Conflicts in 1 file with main' });
  await expect(panel).toContainText('src/greet.ts');
  await expect(panel).toContainText('Your branch and main are both untouched');
  await expect(page.getByRole('button', { name: /Merge into main/ })).toBeDisabled();

  await panel.getByRole('button', { name: 'Copy worktree path' }).click();
  const dir = await page.evaluate(() => navigator.clipboard.readText());
  expect(beckon.repo.git('-C', dir, 'rev-parse', '--show-toplevel').trim()).toBe(dir);

  await panel.getByRole('button', { name: 'Let Claude resolve' }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByText('Merges cleanly into main')).toBeVisible({ timeout: 20_000 });
  expect(beckon.repo.git('rev-parse', 'main').trim(), 'main is untouched').toBe(before);
  await page.getByRole('button', { name: /Merge into main/ }).click();
  await expect.poll(() => beckon.repo.git('show', 'main:src/greet.ts')).toContain('hallo');
});
