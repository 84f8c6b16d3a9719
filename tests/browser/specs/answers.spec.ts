// An answer leaves with its key, and is changed by another one.
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

const slip =
  'match: Slip\nask Which one? | Left | Right\nsleep 120s\nturn\ntext I heard: ${message}';
const other = 'match: Other\nask How deep? | Shallow | Deep\ntext Thanks.';
const drafts = [
  { title: 'Slip', policy: 'wait' as const },
  { title: 'Other', policy: 'wait' as const },
];

test(
  'one key answers and shows the next question, and Mod Z changes what was said',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(slip, other);
    const [task] = await beckon.openWith(page, drafts[0]!);
    await expect(page.getByRole('article', { name: /^SAM-1, needs you/ })).toBeVisible({
      timeout: patience(20_000),
    });
    await beckon.addTask(page, (await beckon.tasks(page))[0]!.projectId, drafts[1]!);
    await beckon.open(page, '#/inbox');
    const list = page.getByRole('navigation', { name: 'Questions' });
    await expect(list.getByRole('link')).toHaveCount(2);
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    const row = page.locator('.asked.just');
    await expect(row).toContainText('You answered Left. Claude carries on');
    await expect(page.getByRole('group', { name: /How deep/ })).toBeVisible();
    await expect(page, 'the badge in the title').toHaveTitle(/1/);
    await judge(page, 'the Inbox, just answered');

    await page.keyboard.press('Control+z');
    const change = page.getByRole('region', { name: 'Change the answer' });
    await expect(change).toContainText('Sending interrupts Claude');
    await expect(change.getByRole('radio', { name: /Left/ })).toContainText('your answer');
    await judge(page, 'the change of an answer');
    await page.keyboard.press('2');
    await expect(change.getByRole('radio', { name: 'Right' })).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(change).toBeHidden();
    await expect(row).toContainText('You answered Left, then Right');

    await beckon.open(page, `#/task/${task!.key}`);
    const session = page.getByRole('log', { name: 'Session' });
    await expect(session).toContainText('I heard: You asked: Which one?');
    await expect(session).toContainText('The user has changed that answer');
    await expect(session.getByText('I heard:')).toHaveCount(1);
    await page.getByRole('tab', { name: /Questions/ }).click();
    await expect(page.getByRole('row', { name: /Which one/ })).toContainText(
      /Right.*was: Left, changed after 0:\d\d/s,
    );
    const [q] = await beckon.questions(page, task!);
    expect([q!.answer!.items[0]!.labels, (q as { earlier?: unknown[] }).earlier?.length]).toEqual([
      ['Right'],
      1,
    ]);
  },
);

test('the frame of the key shows the answer on the card, the badge, the title and the slots', async ({
  page,
  start,
}) => {
  const beckon = await start(slip);
  await beckon.openWith(page, drafts[0]!);
  const card = page.getByRole('article', { name: /^SAM-1, needs you/ });
  await expect(card).toBeVisible({ timeout: patience(20_000) });
  await card.focus();
  await page.waitForTimeout(newcomer);
  /** What the page shows in the frame of a key. */
  const frameOf = async (key: string): Promise<string[]> => {
    const frame = await page.evaluateHandle(() => {
      const look = () => [
        document.querySelector('.card')!.className,
        document.querySelector('nav .badge')?.textContent ?? 'none',
        document.title,
        document.querySelector('.slots')!.innerHTML,
      ];
      return {
        shown: new Promise<string[]>((resolve) =>
          addEventListener('keydown', () => requestAnimationFrame(() => resolve(look())), {
            capture: true,
            once: true,
          }),
        ),
      };
    });
    await page.keyboard.press(key);
    return frame.evaluate(({ shown }) => shown);
  };
  const was = await frameOf('Shift');
  expect(was.slice(0, 3)).toEqual([
    expect.stringContaining('needs'),
    '1',
    expect.stringMatching(/1/),
  ]);
  const is = await frameOf('1');
  expect(is.slice(0, 3)).toEqual([
    expect.not.stringContaining('needs'),
    'none',
    expect.not.stringMatching(/1/),
  ]);
  expect(is[3], 'its slot is of one that works').not.toBe(was[3]);
});

test('answers by key go from card to card on the board, and the key that is pressed twice answers one', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right\nsleep 120s');
  await beckon.openWith(
    page,
    ...['One', 'Two', 'Three'].map((title) => ({ title, policy: 'wait' as const })),
  );
  const needs = page.locator('.card.needs');
  await expect(needs).toHaveCount(3, { timeout: patience(20_000) });
  const [first, second, third] = (
    await needs.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.task!))
  ).map((id) => page.locator(`.card[data-task="${id}"]`));
  await first!.focus();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('2');
  await page.keyboard.press('2');
  await expect(second!, 'the next').toBeFocused();
  await expect(second!, 'a second press is no answer to it').toHaveClass(/needs/);
  await expect(first!).not.toHaveClass(/needs/);
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(third!).toBeFocused();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(needs).toHaveCount(0);
  // The page shows an answer before Beckon has it.
  const said = async () =>
    (await Promise.all((await beckon.tasks(page)).map((task) => beckon.questions(page, task))))
      .map(([q]) => q!.answer?.items[0]!.labels[0] ?? '')
      .sort();
  await expect.poll(said).toEqual(['Left', 'Left', 'Right']);
});

test('an answer is changed after the run’s end, which resumes it; a window that did not see it keeps its own', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'ask Which one? | Left | Right | None\ntext Done.',
    'resume: yes\ntext I heard: ${message}',
  );
  const [task] = await beckon.openWith(page, drafts[0]!);
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  const session = page.getByRole('log', { name: 'Session' });
  await expect(session).toContainText('Done.');
  const second = await newWindow(page);
  await beckon.open(second, `#/task/${task!.key}`);
  const change = (of: typeof page) => of.getByRole('region', { name: 'Change the answer' });
  for (const of of [page, second]) {
    await of
      .getByRole('log', { name: 'Session' })
      .getByRole('button', { name: 'Change the answer' })
      .click();
    await expect(change(of)).toContainText('Claude isn’t running. Sending resumes it');
  }
  await change(second).getByRole('radio', { name: 'None' }).click();
  // Sent first, but later there.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await second.route('**/rpc/ChangeAnswer', (route) => held.then(() => route.continue()));
  await change(second)
    .getByRole('button', { name: /Send the change/ })
    .click();
  await change(page).getByRole('radio', { name: 'Right' }).click();
  await change(page)
    .getByRole('button', { name: /Send the change/ })
    .click();
  await expect(session).toContainText('The user has changed that answer');
  release();
  await expect(change(second)).toContainText(
    'It was changed elsewhere meanwhile. Your choice is kept',
  );
  await expect(change(second).getByRole('radio', { name: 'None' })).toBeChecked();
  await expect(change(second).getByRole('radio', { name: /Right/ })).toContainText('your answer');
  expect((await beckon.questions(page, task!))[0]!.answer!.items[0]!.labels).toEqual(['Right']);
});

test('a permission that was given cannot be changed, and says so', async ({ page, start }) => {
  const beckon = await start(
    'permit Bash {"command":"make check","description":"To see"}\nsleep 120s',
  );
  await beckon.openWith(page, drafts[0]!);
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('group', { name: /wants to run a command/ })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  const row = page.locator('.asked.just');
  await expect(row).toContainText('You answered Allow once');
  await expect(row).toContainText('This can’t be changed any more: tell Claude instead');
  await expect(page.getByRole('button', { name: /Change the answer/ })).toHaveCount(0);
});
