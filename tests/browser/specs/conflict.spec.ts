// A branch that conflicts with its base is resolved from its page, and nothing is lost meanwhile.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const who = '-c user.name=Test -c user.email=test@localhost';
const agents = [
  // As the agent would: theirs is the side of the branch that is rebased.
  `match: conflicts with main\nrun git ${who} rebase -q -X theirs main\ntext Rebased.`,
  `edit src/greet.ts hello hallo\nrun git ${who} commit -qam "say hallo"\ntext Greeted.`,
];

test(
  'a conflict names its files, and Claude resolves it in the worktree',
  { tag: '@smoke' },
  async ({ page, start, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const beckon = await start(...agents);
    await beckon.openWith(page, { title: 'Greet in German' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    writeFileSync(
      join(beckon.repo.dir, 'src/greet.ts'),
      'export const greet = () => "good day";\n',
    );
    beckon.repo.git('commit', '-qam', 'say good day');
    const before = beckon.repo.git('rev-parse', 'main').trim();

    await beckon.open(page, '#/task/SAM-1/changes');
    const panel = page.getByRole('region', { name: 'Conflicts in 1 file with main' });
    const place = page.getByRole('region', { name: 'Conflicts in src/greet.ts' });
    await expect(page.getByRole('treeitem', { name: /src\/greet\.ts.*1 hunk/ })).toBeVisible();
    await expect(place).toContainText('conflict 1 of 1');
    await expect(place).toContainText(/1 commit by .+, \d\d:\d\d/);
    await expect(place).toContainText(/main.*"good day".*SAM-1.*"hallo"/s);
    await place.getByText('What both grew from').click();
    await expect(place).toContainText('"hello"');
    await judge(page, 'a conflict');
    await panel.getByRole('button', { name: 'Show all changes' }).click();
    await expect(page.getByRole('region', { name: 'Changes', exact: true })).toBeVisible();
    await panel.getByRole('button', { name: 'Show the conflicts' }).click();
    await expect(panel).toContainText('Your branch and main are both untouched');
    await expect(page.getByRole('button', { name: /Merge into main/ })).toBeDisabled();

    await expect(panel.getByRole('button', { name: 'Resolve it yourself…' })).toHaveAttribute(
      'aria-keyshortcuts',
      'U',
    );
    await page.keyboard.press('u');
    await page.getByRole('menuitem', { name: 'Copy path' }).click();
    await expect(page.getByText(/^Copied \//)).toBeVisible();
    const dir = await page.evaluate(() => navigator.clipboard.readText());
    expect(readFileSync(join(dir, 'src/greet.ts'), 'utf8')).toContain('<<<<<<< ');
    const mine = page.getByRole('region', { name: 'You are resolving conflicts with main' });
    await expect(mine).toContainText('src/greet.ts');
    await mine.getByRole('button', { name: 'Continue' }).click();
    await expect(
      page.getByText(/still marks of conflicts in src\/greet\.ts/).first(),
    ).toBeVisible();
    await mine.getByRole('button', { name: 'Abandon' }).click();
    await expect(mine).toBeHidden();
    expect(readFileSync(join(dir, 'src/greet.ts'), 'utf8')).toContain('hallo');
    expect(beckon.repo.git('-C', dir, 'status', '--porcelain')).toBe('');

    await panel.getByRole('button', { name: 'Let Claude resolve' }).click();
    await expect(panel).toBeHidden();
    await expect(page.getByText('Merges cleanly into main')).toBeVisible({
      timeout: patience(20_000),
    });
    expect(beckon.repo.git('rev-parse', 'main').trim(), 'main is untouched').toBe(before);
    await page.getByRole('button', { name: /Merge into main/ }).click();
    await expect.poll(() => beckon.repo.git('show', 'main:src/greet.ts')).toContain('hallo');
  },
);

const rows = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
/** The lines with two of them as one side has them, far enough apart to be two places. */
const changed = (who: string) =>
  `${rows.map((line, i) => (i === 4 || i === 30 ? `${line} of ${who}` : line)).join('\n')}\n`;

test.describe('several files in conflict', () => {
  test.use({
    repo: {
      name: 'sample',
      files: {
        'notes.txt': `${rows.join('\n')}\n`,
        'src/greet.ts': 'export const greet = () => "hello";\n',
      },
    },
  });

  /** Shows the changes of a task that changed, as main did, two places of one file and another. */
  async function bothChanged(
    page: Page,
    start: (...scripts: string[]) => Promise<Beckon>,
  ): Promise<Beckon> {
    const text = JSON.stringify(changed('the task'));
    const beckon = await start(
      `write notes.txt ${text}\nedit src/greet.ts hello hallo\nrun git ${who} commit -qam "both"\ntext Done.`,
    );
    await beckon.openWith(page, { title: 'Change both' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    writeFileSync(join(beckon.repo.dir, 'notes.txt'), changed('main'));
    writeFileSync(
      join(beckon.repo.dir, 'src/greet.ts'),
      'export const greet = () => "good day";\n',
    );
    beckon.repo.git('commit', '-qam', 'both, too');

    await beckon.open(page, '#/task/SAM-1/changes');
    return beckon;
  }

  test('a side is taken in each place by a key, and what has none is left in the worktree', async ({
    page,
    start,
  }) => {
    const beckon = await bothChanged(page, start);
    const place = page.getByRole('region', { name: 'Conflicts in notes.txt' });
    await expect(place).toContainText('conflict 1 of 2');
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await expect(
      page.getByRole('region', { name: 'Conflicts in src/greet.ts' }),
      'it leads on to the next file',
    ).toBeVisible();
    await page.keyboard.press('k');
    await expect(place.getByRole('radio', { name: 'Both' }).first()).toBeChecked();
    await expect(place.getByRole('radio', { name: 'Take main' }).last()).toBeChecked();
    await expect(place).toContainText('This is the result.');
    await expect(place, 'what was not taken is out of sight').not.toContainText(
      'line 31 of the task',
    );
    await expect(page.getByText('2 of 3 taken')).toBeVisible();
    await judge(page, 'conflicts of which a side was taken');
    await page.keyboard.press('Control+Enter');
    const mine = page.getByRole('region', { name: 'You are resolving conflicts with main' });
    await expect(mine).toContainText('src/greet.ts');
    await expect(mine).not.toContainText('notes.txt');
    await mine.getByRole('button', { name: 'Abandon' }).click();
    await expect(mine).toBeHidden();

    await expect(place).toContainText('conflict 1 of 2');
    for (const key of ['3', '1', '2']) await page.keyboard.press(key);
    await expect(page.getByText('3 of 3 taken')).toBeVisible();
    await page.getByRole('button', { name: /^Resolve 2 files/ }).press('Enter');
    await expect(page.getByText('Merges cleanly into main')).toBeVisible();
    const branch = (await beckon.tasks(page))[0]!.branch;
    const notes = beckon.repo.git('show', `${branch}:notes.txt`);
    expect(notes).toContain('line 5 of main\nline 5 of the task\nline 6\n');
    expect(notes).toContain('line 30\nline 31 of main\nline 32\n');
    expect(beckon.repo.git('show', `${branch}:src/greet.ts`)).toContain('hallo');
  });

  test('keys lead through the conflicts, and do nothing to the diff behind them', async ({
    page,
    start,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await bothChanged(page, start);
    const place = (path: string) => page.getByRole('region', { name: `Conflicts in ${path}` });
    const current = page.locator('.places [aria-current="true"]');
    await expect(place('notes.txt')).toContainText('conflict 1 of 2');
    await page.keyboard.press('j');
    await expect(current).toContainText(/conflict 2 of 2.*line 31 of main.*line 31 of the task/s);
    await page.keyboard.press('j');
    await expect(place('src/greet.ts')).toContainText('conflict 1 of 1');
    await page.keyboard.press('k');
    await expect(current).toContainText('conflict 2 of 2');
    await page.keyboard.press(']');
    await expect(place('src/greet.ts')).toBeVisible();
    await page.keyboard.press('[');
    await expect(current).toContainText('conflict 1 of 2');

    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByRole('menuitem', { name: 'Copy path' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/notes\.txt:31$/);

    for (const key of ['v', 'f', 's', 'w', 'l']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Show all changes' }).click();
    await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText(
      'line 31 of the task',
    );
    await expect(
      page.getByRole('radio', { name: 'Unified' }),
      'no key changed how the diff looks',
    ).toBeChecked();
    await expect(
      page.getByRole('button', { name: 'Viewed', pressed: true }),
      'nothing was marked',
    ).toHaveCount(0);

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Let Claude resolve');
    await expect(page.getByRole('option', { name: /^Let Claude resolve/ }).first()).toBeVisible();
  });
});
