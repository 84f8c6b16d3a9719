// A key answers only what is whole on the screen.
import type { Locator, Page } from '@playwright/test';
import { type Beckon, newcomer, type Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { pane } from '../support/mission';
import { patience } from '../support/patience';

const long = `Three callers depend on the order of overlapping ranges. ${'The dashboard sums them twice and shows the raw error, and the nightly report joins them. '.repeat(5)}How should the parser treat them until all three have been changed?`;

const options = ['Reject', 'Merge', 'Warn', 'Keep'].map((label) => ({
  label,
  description: `${label} them, and say so in the log of the nightly report.`,
}));

const agents = [
  `match: Long\nask_user ${JSON.stringify({ questions: [{ question: long, header: 'Overlaps', options }] })}\ntext Took \${answer}.\nsleep 120s`,
  `match: Short\nask_user {"question":"Left or right?","options":[{"label":"Left"},{"label":"Right"}]}\ntext Went \${answer}.\nsleep 120s`,
  `match: Remove\npermit Bash {"command":"rm -rf build","description":"Removes what was built"}\ntext Removed.\nsleep 120s`,
  `match: Chain\npermit Bash {"command":"rm -rf build dist .cache && pnpm install --frozen-lockfile && pnpm build --filter ./packages/core --filter ./packages/web && pnpm test --recursive --reporter dot && pnpm exec changeset version && pnpm exec changeset publish --tag next && git push --follow-tags","description":"Publishes"}\ntext Published.\nsleep 120s`,
  `match: Edit\nrun printf '1\\n2\\n3\\n' > a.txt\npermit Edit {"file_path":"a.txt","old_string":"1\\n2\\n3","new_string":"one\\ntwo\\nthree\\nfour"}\ntext Edited.\nsleep 120s`,
  `match: Rewrite\npermit Write {"file_path":"b.txt","content":"${'line\\n'.repeat(60)}"}\ntext Written.\nsleep 120s`,
  `match: Work\nrun sleep 120`,
];

async function ask(
  beckon: Beckon,
  page: Page,
  layout: number,
  ...titles: string[]
): Promise<Task[]> {
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 12, language: '', theme: '', singleKeys: true });
  await beckon.call(page, 'SaveMission', { layout, panes: [], removed: [], maximised: '' });
  const tasks = await beckon.openWith(
    page,
    ...titles.map((title) => ({ title, policy: 'wait' as const })),
  );
  for (const [i, title] of titles.entries()) {
    const state = title.startsWith('Work') ? 'Running' : 'needs you';
    await expect(
      page.getByRole('article', { name: new RegExp(`^${tasks[i]!.key}, ${state}`) }),
    ).toBeVisible({ timeout: patience(30_000) });
  }
  return tasks;
}

async function waits(beckon: Beckon, page: Page, task: Task): Promise<void> {
  const [question] = await beckon.questions(page, task);
  expect(question!.settlement).toBe('open');
  expect(question!.answer).toBeUndefined();
}

/** A key that may do nothing does so with a sign, and sends nothing. */
async function refused(
  beckon: Beckon,
  page: Page,
  task: Task,
  card: Locator,
  key: string,
): Promise<void> {
  await page.waitForTimeout(newcomer);
  await page.keyboard.press(key);
  await expect(card.locator('.refused')).toBeVisible();
  await expect(card).toContainText(`Key ${key} did nothing`);
  await expect(page.locator('[aria-live="polite"]')).toContainText(`Key ${key} did nothing`);
  await expect(page.getByText(/Sending .* to SAM|Press again/)).toHaveCount(0);
  await waits(beckon, page, task);
}

/** Whether all of an element is in view, past everything that cuts it. */
async function whole(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.evaluate((one) => {
        let { top, bottom, left, right } = one.getBoundingClientRect();
        for (let around = one.parentElement; around; around = around.parentElement) {
          if (getComputedStyle(around).overflow === 'visible') continue;
          const box = around.getBoundingClientRect();
          if (
            top < box.top - 1 ||
            bottom > box.bottom + 1 ||
            left < box.left - 1 ||
            right > box.right + 1
          )
            return `cut by ${around.className}`;
        }
        return top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1
          ? ''
          : 'outside the window';
      }),
    )
    .toBe('');
}

test.describe('in panes', () => {
  for (const layout of [9, 6, 4]) {
    test(`a question too long for its pane of ${layout} is not answered by a key until it is read`, async ({
      page,
      start,
    }) => {
      const beckon = await start(...agents);
      if (layout !== 9) await page.setViewportSize({ width: 1040, height: 660 });
      const [task] = await ask(beckon, page, layout, 'Long one', 'Short two', 'Work three');
      await beckon.open(page, '#/mission');
      const card = pane(page, 'SAM-1');
      await card.focus();
      await expect(card).toContainText('4 options below');
      await expect(card.locator('.ask-foot')).toBeInViewport({ ratio: 1 });
      await refused(beckon, page, task!, card, '1');
      await refused(beckon, page, task!, card, 'Enter');

      // What fits beside it is answered as ever.
      await pane(page, 'SAM-2').focus();
      await page.keyboard.press('2');
      await expect(pane(page, 'SAM-2', 'running')).toContainText('Went Right', {
        timeout: patience(20_000),
      });

      await card.focus();
      await page.keyboard.press('Space');
      const sheet = page.getByRole('dialog');
      await whole(sheet.locator('.ask-q'));
      for (const option of await sheet.getByRole('radio').all()) await whole(option);
      await page.waitForTimeout(newcomer);
      await page.keyboard.press('3');
      await expect(sheet).toBeHidden();
      await expect(card).toBeFocused();
      await expect(pane(page, 'SAM-1', 'running')).toContainText('Took Warn', {
        timeout: patience(20_000),
      });
    });
  }
});

test.describe('at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test(
    'a command that can destroy work shows its warning in every pane, and is allowed only where both are whole',
    { tag: '@smoke' },
    async ({ page, start }) => {
      const beckon = await start(...agents);
      const tasks = await ask(
        beckon,
        page,
        4,
        'Remove one',
        'Chain two',
        'Long three',
        'Work four',
      );
      await beckon.open(page, '#/mission');
      // One pane has room at a time; the strip above changes it.
      const show = async (key: string) => {
        await page.locator('.agents button', { hasText: key }).click();
        return focused(pane(page, key));
      };
      for (const [i, key] of ['SAM-1', 'SAM-2'].entries()) {
        const card = await show(key);
        await whole(card.locator('.risk'));
        const foot = card.locator('.ask-foot');
        await whole(foot);
        if (await card.locator('.ask.unseen').isVisible())
          await refused(beckon, page, tasks[i]!, card, '1');
        else await whole(card.locator('.cmd'));
      }
      await expect(pane(page, 'SAM-2').locator('.ask.unseen')).toBeVisible();
      await refused(beckon, page, tasks[2]!, await show('SAM-3'), '4');

      await show('SAM-2');
      await page.keyboard.press('Space');
      const sheet = page.getByRole('dialog');
      await whole(sheet.locator('.risk'));
      await whole(sheet.locator('.cmd'));
      // Its rules have no room here: keys stay off, and the buttons are in view.
      await refused(beckon, page, tasks[1]!, sheet, '1');
      await whole(sheet.locator('.risk'));
      for (const foot of await sheet.locator('.ask-foot').all()) await whole(foot);
      await page.keyboard.press('Escape');
      await expect(pane(page, 'SAM-2')).toBeFocused();

      await show('SAM-1');
      await page.keyboard.press('Space');
      await page.waitForTimeout(newcomer);
      await page.keyboard.press('1');
      await expect(sheet.getByRole('button', { name: 'Press again to allow' })).toBeVisible();
      await waits(beckon, page, tasks[0]!);
      await page.keyboard.press('1');
      await expect(pane(page, 'SAM-1', 'running')).toContainText('Removed', {
        timeout: patience(20_000),
      });
    },
  );

  test('in the Inbox and on the task page a question that is out of sight takes no key, and Tab and Enter answer', async ({
    page,
    start,
  }) => {
    const beckon = await start(...agents);
    const [task] = await ask(beckon, page, 4, 'Long one');
    const [question] = await beckon.questions(page, task!);
    for (const hash of [`#/inbox/${question!.id}`, '#/task/SAM-1']) {
      await beckon.open(page, hash);
      await expect(page.locator('.ask.unseen')).toBeVisible();
      await refused(beckon, page, task!, page.getByRole('main'), '1');
    }
    await page.getByRole('radio', { name: /^Merge/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /Send answer/ }).press('Enter');
    await expect(page.getByRole('log')).toContainText('Took Merge', { timeout: patience(20_000) });
  });
});

test.describe('at 960x640', () => {
  test.use({ viewport: { width: 960, height: 640 } });

  test('a change of a few lines is allowed on its task page by a key', async ({ page, start }) => {
    const beckon = await start(...agents);
    const [task] = await ask(beckon, page, 4, 'Edit it');
    await beckon.open(page, `#/task/${task!.key}`);
    const card = page.getByRole('group', { name: /wants to change/ });
    await whole(card.getByRole('button', { name: /^Allow once/ }));
    await expect(card).not.toContainText('Too long to answer here');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect(page.getByRole('log')).toContainText('Edited.', { timeout: patience(20_000) });
  });

  test('what does not fit offers no answer as the one to give', async ({ page, start }) => {
    const beckon = await start(...agents);
    const [task] = await ask(beckon, page, 4, 'Rewrite it');
    await beckon.open(page, `#/task/${task!.key}`);
    const card = page.getByRole('group', { name: /wants to change/ });
    await expect(card).toContainText('The change is cut off here');
    await expect(card.locator('.btn.answer')).toHaveText(/^Read/);
  });
});

async function focused(element: Locator): Promise<Locator> {
  await element.focus();
  return element;
}

test('an open card of the board shows the whole question, and takes no key while a part of it is scrolled away', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const [task, removal] = await ask(beckon, page, 4, 'Long one', 'Remove two');
  const card = page.getByRole('article', { name: /^SAM-1/ });
  await card.focus();
  await expect(card).toContainText('until all three have been changed?');
  await expect(card).toContainText('Keep them, and say so in the log of the nightly report.');
  await page.setViewportSize({ width: 1440, height: 420 });
  await refused(beckon, page, task!, card, '1');
  await page.setViewportSize({ width: 1440, height: 900 });
  await card.getByRole('button', { name: /^Reject/ }).scrollIntoViewIfNeeded();
  await page.keyboard.press('1');
  await expect(page.getByRole('article', { name: /^SAM-1, Running/ })).toBeVisible({
    timeout: patience(20_000),
  });

  const permit = await focused(page.getByRole('article', { name: /^SAM-2/ }));
  await expect(permit.locator('.risk')).toBeVisible();
  await expect(permit.locator('.picks .cmd')).toContainText('rm -rf build');
  await waits(beckon, page, removal!);
});

const sizes = [
  { layout: 9, width: 1440, height: 900, scale: 1 },
  { layout: 9, width: 1180, height: 700, scale: 1 },
  { layout: 9, width: 960, height: 640, scale: 1 },
  { layout: 6, width: 1440, height: 900, scale: 1 },
  { layout: 6, width: 1180, height: 700, scale: 1 },
  { layout: 4, width: 960, height: 640, scale: 1 },
  { layout: 4, width: 720, height: 450, scale: 2 },
];

/** Fails unless that many questions are shown, and all of each but its middle. */
async function allWhole(page: Page, count: number): Promise<void> {
  await expect(page.locator('.pane .ask')).toHaveCount(count);
  for (const part of await page
    .locator('.pane :is(.ask, .ask-head, .risk, .ask-foot, .ask-foot .btn)')
    .all())
    await whole(part);
  for (const one of await page.locator('.pane').all()) {
    const card = (await one.locator('.ask').boundingBox())!;
    const composer = one.locator('.composer');
    if (!(await composer.isVisible())) continue;
    await whole(composer);
    expect(
      (await composer.boundingBox())!.y,
      'the composer is below the question',
    ).toBeGreaterThanOrEqual(card.y + card.height - 0.5);
  }
  // A key that is drawn as one works: what is not unseen is whole.
  for (const card of await page.locator('.pane .ask:not(.unseen)').all()) {
    for (const part of await card.locator('[data-part]').all()) await whole(part);
  }
}

for (const { layout, width, height, scale } of sizes) {
  test.describe(`${layout} panes at ${width}x${height}`, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor: scale });

    test('no part of a question is cut or covered but its middle', async ({ page, start }) => {
      const beckon = await start(...agents);
      await ask(beckon, page, layout, 'Long one', 'Chain two', 'Remove three', 'Short four');
      await beckon.open(page, '#/mission');
      const chips = page.locator('.agents button');
      await expect(chips).toHaveCount(4);
      if (height >= 520) return allWhole(page, 4);
      for (const chip of await chips.all()) {
        await chip.click();
        await allWhole(page, 1);
      }
    });
  });
}

test('a toast lies over no question', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [waiting, short] = await ask(beckon, page, 4, 'Short one', 'Short two');
  await beckon.open(page, '#/mission');
  const answered = pane(page, short!.key);
  await answered.focus();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  const toast = page.locator('.toast');
  await toast.hover(); // so that it stays
  const open = pane(page, waiting!.key).locator('.ask');
  for (const width of [1440, 960]) {
    await page.setViewportSize({ width, height: 640 }); // with a rail, and with a slim one
    await toast.hover();
    await expect(open).toBeVisible();
    const [over, below] = [(await toast.boundingBox())!, (await open.boundingBox())!];
    const [beside, above] = [over.x + over.width <= below.x, over.y + over.height <= below.y];
    expect(beside || above, `beside the question or above it, ${width} wide`).toBe(true);
  }
});

test('a key does nothing while a toast covers the question', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [waiting, answered] = await ask(beckon, page, 4, 'Short one', 'Short two');
  await beckon.open(page, '#/mission');
  await pane(page, answered!.key).focus();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  const toast = page.locator('.toast');
  await toast.hover(); // so that it stays
  const card = pane(page, waiting!.key);
  const box = (await card.locator('[data-part="question"]').boundingBox())!;
  await toast.evaluate(
    (one, { x, y }) =>
      Object.assign(one.style, {
        position: 'fixed',
        left: `${x}px`,
        top: `${y}px`,
        bottom: 'auto',
        right: 'auto',
      }),
    box,
  );
  await toast.hover();
  await card.focus();
  await refused(beckon, page, waiting!, card, '1');
  await toast.getByRole('button').last().click();
  await expect(toast).toBeHidden();
  await card.focus();
  await page.keyboard.press('1');
  await expect
    .poll(async () => (await beckon.questions(page, waiting!))[0]!.answer?.items[0]?.labels)
    .toEqual(['Left']);
});

test.describe('the task page at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  for (const [title, button] of [
    ['Long one', /Send answer/],
    ['Remove one', /Allow once/],
  ] as const) {
    test(`${title}: what sends the answer is whole`, async ({ page, start }) => {
      const beckon = await start(...agents);
      await ask(beckon, page, 4, title);
      await beckon.open(page, '#/task/SAM-1');
      await whole(page.getByRole('button', { name: button }));
      for (const part of await page.locator('.ask > :not(.ask-scroll), .composer').all())
        await whole(part);
    });
  }
});
