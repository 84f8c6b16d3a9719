// How changes are looked at: side by side, without white space, with what is around them.
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const lines = Array.from({ length: 80 }, (_, i) => `line ${i + 1}`);
const changed = lines.map((line, i) => (i === 9 ? 'line ten' : i === 59 ? '  line 60' : line));
const file = (of: string[]) => `${of.join('\n')}\n`;

const svg = (size: number, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><circle cx="8" cy="8" r="8" fill="teal"/>${more}</svg>\n`;
/** A grey picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

test.use({
  repo: {
    name: 'sample',
    files: {
      'src/long.txt': file(lines),
      'README.md': '# sample\n',
      'art/mark.svg': svg(16),
      'art/old.txt': file(lines),
      'art/run.sh': 'echo\n',
    },
  },
});

test(
  'changes are read side by side, without white space, and with the lines around them',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(
      `write src/long.txt @long\nwrite src/new.txt fresh\ntext Done.\n-- long --\n${file(changed)}`,
    );
    await beckon.openWith(page, { title: 'Ten' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    await beckon.open(page, '#/task/SAM-1/changes');
    const diff = page.getByRole('region', { name: 'Changes' });
    const line = (text: string) => diff.locator('.dl').filter({ hasText: text });
    await expect(diff.locator('mark')).toHaveText(['10', 'ten', '  '], {
      timeout: patience(10_000),
    });

    await page.keyboard.press('s');
    await expect(page.getByRole('radio', { name: 'Split' })).toBeChecked();
    await expect(line('ten'), 'one row has both').toHaveText(
      /10\s*−\s*line 10\s*10\s*\+\s*line ten/,
    );
    await line('ten').locator('[data-side=before].pick').click();
    await expect(page.getByRole('textbox', { name: 'Comment on line 10, removed' })).toBeFocused();
    await page.keyboard.type('Why?');
    await page.keyboard.press('Enter');
    await judge(page, 'changes side by side');
    await page.screenshot({ path: test.info().outputPath('split.png') });

    await page.keyboard.press('w');
    await expect(page.getByRole('treeitem', { name: /long\.txt/ })).toContainText('+1');
    await expect(page.getByRole('treeitem', { name: /long\.txt/ })).not.toContainText('+2');
    await page.keyboard.press('w');
    await expect(page.getByRole('treeitem', { name: /long\.txt/ })).toContainText('+2');

    await expect(line('line 20')).toHaveCount(0);
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await expect(line('line 20')).toHaveText(/20\s*line 20\s*20\s*line 20/);
    await expect(line('line 1').first(), 'from the top of the file').toBeVisible();
    await expect(
      diff.getByRole('button', { name: '17 unchanged lines' }),
      'what is below is counted',
    ).toHaveCount(1);
    await diff.getByRole('button', { name: '23 unchanged lines' }).click();
    await page.mouse.wheel(0, 200);
    await expect(line('line 45')).toHaveCount(1);

    await page.keyboard.press('v');
    await expect(line('ten')).toHaveCount(0);
    await page.keyboard.press('[');
    await page.keyboard.press('f');
    await expect(line('ten'), 'one looks into it').toHaveCount(1);
    await expect(page.getByText('1 of 2 viewed'), 'and it stays viewed').toBeVisible();

    await page.reload();
    await expect(page.getByRole('radio', { name: 'Split' }), 'kept').toBeChecked();
    await page.setViewportSize({ width: 800, height: 600 });
    await expect(diff.locator('.dl').first()).toBeVisible();
    await expect(page.locator('.diff.two'), 'no room for two').toHaveCount(0);
    await expect(
      page.getByRole('button', { name: 'Send 1 comment' }).first(),
      'comments are sent from here',
    ).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Split' })).toBeInViewport();
  },
);

test(
  'what is no line is shown as what it is, and a hostile image does nothing',
  { tag: '@smoke' },
  async ({ page, start, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const beckon = await start('write src/new.txt fresh\ntext Done.');
    await beckon.openWith(page, { title: 'Kinds' });
    await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
      timeout: patience(20_000),
    });
    const worktree = beckon.repo
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('worktree '))[1]!
      .slice(9);
    const at = (name: string) => join(worktree, name);
    mkdirSync(at('art/moved'));
    renameSync(at('art/old.txt'), at('art/moved/new.txt'));
    writeFileSync(at('art/moved/new.txt'), file([...lines, 'one more']));
    writeFileSync(
      at('art/mark.svg'),
      svg(
        32,
        '<script>document.title = "owned"; fetch("/owned")</script><image href="/owned.png" width="4" height="4"/>',
      ),
    );
    writeFileSync(at('art/dot.png'), png);
    writeFileSync(at('art/noise.bin'), Buffer.from([0, 1, 2]));
    chmodSync(at('art/run.sh'), 0o755);
    symlinkSync('run.sh', at('art/link'));
    writeFileSync(
      at('art/large.psd'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    await beckon.open(page, '#/task/SAM-1/changes');
    const diff = page.getByRole('region', { name: 'Changes' });
    await expect(diff.getByRole('img', { name: 'art/dot.png, Added' })).toBeVisible();
    await expect(diff.locator('figcaption').first()).toHaveText(/Added\s*1 × 1 px\s*67 B/);
    const tree = page.getByRole('tree', { name: 'Changed files' });
    const shows = async (name: string, text: string | RegExp) => {
      await tree.getByRole('treeitem', { name }).click();
      await expect(diff.getByText(text)).toBeInViewport();
    };
    await shows('large.psd', 'A pointer of Git LFS. The file itself has 13 KB and isn’t shown.');
    await shows('link', 'A symbolic link. Its line is where it leads.');
    await shows('noise.bin', 'Binary file, 3 B.');
    await shows('run.sh', 'Made executable.');
    await tree.getByRole('treeitem', { name: 'mark.svg' }).click();
    await expect(diff.getByRole('img', { name: 'art/mark.svg, Before' })).toBeVisible();
    await expect(diff.locator('figcaption').filter({ hasText: 'After' })).toContainText(
      '32 × 32 px',
    );
    await judge(page, 'images side by side');
    await page.screenshot({ path: test.info().outputPath('images.png') });
    await page.getByRole('radio', { name: 'Side by side' }).press('ArrowRight');
    const share = page.getByRole('slider', { name: /How much of the new art\/mark\.svg is seen/ });
    const newer = page.locator('figure.swipe .after');
    await expect(share).toHaveValue('50');
    const halved = await newer.evaluate((image) => getComputedStyle(image).clipPath);
    await share.press('End');
    await expect(share).toHaveValue('100');
    expect(await newer.evaluate((image) => getComputedStyle(image).clipPath)).not.toBe(halved);
    await judge(page, 'images swiped');
    await page.getByRole('radio', { name: 'Onion skin' }).press(' ');
    await share.press('Home');
    await expect(page.locator('figure.fade .after')).toHaveCSS('opacity', '0');
    await page.getByRole('radio', { name: 'Side by side' }).press(' ');
    await expect(diff.getByRole('img', { name: 'art/mark.svg, Before' })).toBeVisible();
    await tree.getByRole('treeitem', { name: 'new.txt' }).first().click();
    const head = page.locator('.filehead', { hasText: 'moved/' });
    await expect(head).toContainText(/art\/old\.txt.*art\/moved\/new\.txt.*% the same/);
    await expect(diff.locator('.dl', { hasText: 'one more' })).toBeVisible();
    expect(await page.title()).not.toBe('owned');
    expect(asked.filter((url) => url.includes('owned'))).toEqual([]);

    await page.keyboard.press('e');
    const menu = page.getByRole('menu', { name: /new\.txt.*81/ });
    await expect(menu.getByRole('menuitem', { name: 'Copy path' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${at('art/moved/new.txt')}:81`);
  },
);
