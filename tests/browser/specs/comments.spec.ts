// Comments on lines of the changes: written, sent, answered, resolved.
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const work =
  'match: words\nwrite src/words.txt @words\ntext Done.\n-- words --\none\ntwo\nthree\nfour\nfive\n';
const review =
  'match: I reviewed\nresume: yes\nwrite src/words.txt @words\ntext @said\n-- words --\nzero\none\ntwo\ndrei\nfour\nfive\n-- said --\nAll done.\n\n**C1**: It is *German* now.\n';

async function openChanges(
  page: Page,
  beckon: {
    open(page: Page, hash: string): Promise<unknown>;
    openWith(page: Page, task: { title: string }): Promise<{ id: string }[]>;
  },
) {
  const [task] = await beckon.openWith(page, { title: 'Some words' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1/changes');
  await expect(line(page, 'five')).toBeVisible();
  return task!;
}

const line = (page: Page, text: string) =>
  page.locator('.dl', { hasText: new RegExp(`\\d+\\s*\\+?\\s*${text}$`) });
const numberOf = (page: Page, text: string) => line(page, text).locator('.pick').nth(1);
const note = (page: Page, name: RegExp) => page.getByRole('group', { name });

test('a comment is written by keys, outlives the page, and comes back when it was deleted', async ({
  page,
  start,
}) => {
  const beckon = await start(work, review);
  await openChanges(page, beckon);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await expect(page.locator('.dl.sel')).toHaveText([/one/]);
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+K');
  await expect(page.locator('.dl.sel')).toHaveText([/one/, /two/]);
  await page.keyboard.press('c');
  const field = page.getByRole('textbox', { name: 'Comment on lines 1–2' });
  await expect(field).toBeFocused();
  await page.keyboard.type('First draft.');
  await page.keyboard.press('Enter');
  await expect(note(page, /lines 1–2, draft/)).toContainText('First draft.');
  await expect(page.getByRole('region', { name: 'Changes' }), 'back at the lines').toBeFocused();

  await page.keyboard.press('c');
  await page.keyboard.type('In German.');
  await expect(page.getByRole('button', { name: 'Send 2 comments', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: /Comment on/ }), 'it is kept').toHaveCount(0);
  await page.reload();
  await expect(note(page, /line 1, draft/), 'drafts outlive the page').toContainText('In German.');
  await note(page, /lines 1–2, draft/)
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(note(page, /lines 1–2, draft/)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(note(page, /lines 1–2, draft/), 'and a deleted one comes back').toContainText(
    'First draft.',
  );
  await note(page, /lines 1–2, draft/)
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByRole('treeitem', { name: /words\.txt.*1 comment/ })).toBeVisible();
});

test(
  'lines are picked by dragging and by Shift, and a second page follows to the answer',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(work, review);
    await openChanges(page, beckon);
    const from = (await numberOf(page, 'two').boundingBox())!;
    const to = (await numberOf(page, 'three').boundingBox())!;
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 4 });
    await expect(page.locator('.dl.sel')).toHaveText([/two/, /three/]);
    await page.mouse.up();
    await page.getByRole('textbox', { name: 'Comment on lines 2–3' }).fill('In German.');
    await page.getByRole('button', { name: 'Keep draft' }).click();
    await numberOf(page, 'five').click({ modifiers: ['Shift'] });
    await expect(page.getByRole('textbox', { name: 'Comment on lines 2–5' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(
      page.getByRole('textbox', { name: /Comment on/ }),
      'nothing written is nothing kept',
    ).toHaveCount(0);

    const second = await newWindow(page);
    await second.goto(page.url());
    await expect(note(second, /lines 2–3, draft/)).toBeVisible();
    await judge(second, 'a draft among the changes');

    await page.keyboard.press('ControlOrMeta+Enter');
    for (const one of [page, second]) {
      const answered = note(one, /lines 2–3, answered/);
      await expect(answered).toContainText('It is German now.', { timeout: patience(20_000) });
      await expect(answered, 'three is drei by now').toContainText('outdated');
      await expect(one.getByText('1 comment on lines that changed since')).toBeVisible();
      await expect(one.getByRole('button', { name: /^Send \d/ })).toHaveCount(0);
    }
    await judge(second, 'an answer among the changes');
    await note(page, /answered/)
      .getByRole('button', { name: 'Resolve' })
      .click();
    await expect(note(second, /resolved/)).not.toContainText('It is German now.');
    await note(second, /resolved/)
      .getByRole('button', { name: 'Reopen' })
      .click();
    await expect(note(page, /answered/)).toContainText('It is German now.');
  },
);

test('all of a comment is in reach at 200 % and in a small window', async ({ page, start }) => {
  const beckon = await start(work, review);
  await openChanges(page, beckon);
  for (const size of [
    { width: 720, height: 450 },
    { width: 960, height: 640 },
  ]) {
    await page.setViewportSize(size);
    await numberOf(page, 'two').click();
    const field = page.getByRole('textbox', { name: 'Comment on line 2' });
    await field.fill(
      'A comment that is long enough to need more than one line where there is little room for it.',
    );
    const keep = page.getByRole('button', { name: 'Keep draft' });
    await keep.scrollIntoViewIfNeeded();
    await expect(keep).toBeInViewport({ ratio: 1 });
    const box = (await note(page, /draft/).boundingBox())!;
    expect(box.x + box.width, 'it is not cut').toBeLessThanOrEqual(size.width);
    await page.screenshot({ path: test.info().outputPath(`${size.width}.png`) });
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(field).toHaveCount(0);
  }
});

test('what the network loses on the way is said, kept and not done twice', async ({
  page,
  start,
}) => {
  const beckon = await start(work, review);
  await openChanges(page, beckon);
  /** Has the network lose a call, or what Beckon answers to it, and the next one pass. */
  const lose = (method: string, arrives: boolean) =>
    page.route(
      `**/rpc/${method}`,
      async (route) => {
        if (arrives) await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  const said = page.getByText('may be done or not. What you typed is kept.').first();

  await page.route('**/rpc/Review', (route) => route.abort());
  await page.reload();
  await expect(
    page
      .getByRole('tabpanel')
      .getByText('Beckon’s reply was lost. What you typed is kept. Try again.'),
  ).toBeVisible();
  await page.unroute('**/rpc/Review');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Try again' }).click();
  await expect(line(page, 'five')).toBeVisible();

  await page.keyboard.press('j');
  await page.keyboard.press('c');
  await page.keyboard.type('In German.');
  await page.keyboard.press('Enter');
  await expect(note(page, /line 1, draft/)).toBeVisible();
  await lose('SendComments', false);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(said).toBeVisible();
  await expect(note(page, /line 1, draft/), 'it is still there').toContainText('In German.');
  await lose('SendComments', true);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(line(page, 'drei'), 'Claude has it, though nobody was told').toBeVisible({
    timeout: patience(20_000),
  });
  await expect(
    page.getByRole('button', { name: /^Send 1 comment/ }),
    'and nobody sends it twice',
  ).toHaveCount(0);

  await expect(page.getByRole('button', { name: /^Merge into/ })).toBeEnabled({
    timeout: patience(20_000),
  });
  const base = beckon.repo.git('rev-parse', 'main');
  await lose('MergeAs', false);
  const lost = page.waitForEvent('requestfailed', (r) => r.url().endsWith('/rpc/MergeAs'));
  await page.keyboard.press('m');
  await lost;
  await expect(said).toBeVisible();
  await expect(page.getByRole('button', { name: /^Merge into/ })).toBeEnabled();
  expect(beckon.repo.git('rev-parse', 'main')).toBe(base);
  await lose('MergeAs', true);
  await page.keyboard.press('m');
  await expect
    .poll(async () => (await beckon.tasks(page))[0]!.status, 'the card says that it is merged')
    .toBe('done');
  expect(
    beckon.repo.git('rev-list', '--count', `${base.trim()}..main`).trim(),
    'two commits, and one merge',
  ).toBe('3');
});
