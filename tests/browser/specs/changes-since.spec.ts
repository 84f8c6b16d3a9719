// Parts of the changes: a turn, a commit or all since the last review, alone.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const work = 'match: words\nwrite src/words.txt @words\ntext Done.\n-- words --\none\ntwo\nthree\n';
const review =
  'match: I reviewed\nresume: yes\nwrite src/words.txt @words\nwrite src/more.txt more\ntext Done.\n-- words --\none\nzwei\nthree\n';

test(
  'a turn, a commit and what came since the review are shown alone, by keys and by the mouse',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(work, review);
    await beckon.openWith(page, { title: 'Some words' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    await beckon.open(page, '#/task/SAM-1/changes');
    const diff = page.getByRole('region', { name: 'Changes' });
    const added = diff.locator('.dl.a .code');
    const files = page.getByRole('treeitem');
    const menu = page.getByRole('menu', { name: /^(Since|Only) / });
    await expect(added).toHaveText(['one', 'two', 'three']);
    await page.keyboard.press('t');
    await expect(menu.getByRole('menuitemradio', { name: /^Base/ })).toBeFocused();
    await expect(menu.getByRole('menuitemradio', { name: /^Last review/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.keyboard.type('In German.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(files.filter({ hasText: 'more.txt' }), 'the second turn').toBeVisible({
      timeout: patience(20_000),
    });
    await expect(page.getByRole('button', { name: /^Merge into/ })).toBeEnabled({
      timeout: patience(20_000),
    });

    await page.keyboard.press(',');
    await expect(page).toHaveURL(/changes\/turn-2$/);
    await expect(diff.locator('.dl.r .code')).toHaveText(['two']);
    await expect(added).toHaveText(['more', 'zwei']);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Only turn 2' })).toBeVisible();
    await expect(added).toHaveText(['more', 'zwei']);
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    await expect(page.getByText('1 of 2 viewed')).toBeVisible();
    await page.getByRole('button', { name: 'Only turn 2' }).click();
    await expect(menu.getByRole('menuitemradio', { name: /^Turn 2/ })).toContainText('I reviewed');
    await judge(page, 'the parts of the changes');
    await page.screenshot({ path: test.info().outputPath('since.png') });
    await menu.getByRole('menuitemradio', { name: /^Turn 1/ }).click();
    await expect(page).toHaveURL(/changes\/turn-1$/);
    await expect(added).toHaveText(['one', 'two', 'three']);
    await expect(page.getByRole('note')).toContainText('Some words');
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await expect(page.getByText('it takes no comment')).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(1);

    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await expect(page).toHaveURL(/changes$/);
    await expect(added).toHaveText(['more', 'one', 'zwei', 'three']);
    await page.keyboard.press('t');
    await menu.getByRole('menuitemradio', { name: /^Last review/ }).click();
    await expect(added).toHaveText(['more', 'zwei']);
    await page.keyboard.press('t');
    await menu
      .getByRole('menuitemradio', { name: /^Commit/ })
      .last()
      .click();
    await expect(added).toHaveText(['one', 'two', 'three']);
    await page.screenshot({ path: test.info().outputPath('commit.png') });
    await page.setViewportSize({ width: 960, height: 640 });
    await page.screenshot({ path: test.info().outputPath('narrow.png') });

    await beckon.open(page, `#/task/SAM-1/changes/commit-${'0'.repeat(40)}`);
    await expect(page.getByText('history was rewritten')).toBeVisible();
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Show all since/ })
      .click();
    await expect(added).toHaveText(['more', 'one', 'zwei', 'three']);
  },
);
