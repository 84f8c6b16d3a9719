import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const agents = [
  'match: First\ntext I read the grammar.\nask Which one? | Left | Right\ntext You said: ${answer}',
  'match: Second\nsleep 1s\nask How deep? | Shallow | Deep\ntext Thanks.',
];
const drafts = [
  { title: 'First', policy: 'wait' as const },
  { title: 'Second', policy: 'wait' as const },
];

test(
  'the Inbox shows who waits longest, what was said before it asked, and what was answered today',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    const [first] = await beckon.openWith(page, ...drafts);
    await beckon.open(page, '#/inbox');
    const list = page.getByRole('navigation', { name: 'Questions' });
    await expect(list.getByRole('link')).toHaveCount(2);
    await expect(list.getByRole('link').first()).toContainText('Which one?');
    await expect(page.getByRole('region', { name: 'Question', exact: true })).toContainText(
      'I read the grammar.',
    );
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('j');
    await expect(page.getByRole('group', { name: /How deep/ })).toBeVisible();
    await page.keyboard.press('k');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('2');
    await expect(list).toContainText(/Answered today.*1, median 0:\d\d/s);
    await expect(list.getByRole('link', { name: /Which one.*Right.*after 0:\d\d/s })).toBeVisible();
    await page.keyboard.press('Control+j');
    await expect(page.getByRole('group', { name: /How deep/ })).toBeVisible();
    expect((await beckon.questions(page, first!))[0]!.answer!.items[0]!.labels).toEqual(['Right']);
  },
);

test('Space opens the transcript of who asks, Shift Enter too', async ({ page, start }) => {
  const beckon = await start(agents[0]!);
  const [task] = await beckon.openWith(page, drafts[0]!);
  for (const key of ['Space', 'Shift+Enter']) {
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`#/task/${task!.key}$`));
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('I read the grammar.');
  }
});

test('on a phone the list and the question are a page each, and the answer is within reach of the thumb', async ({
  page,
  start,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const beckon = await start(agents[0]!);
  const [task] = await beckon.openWith(page, drafts[0]!);
  await beckon.open(page, '#/inbox');
  await page.getByRole('link', { name: /Which one/ }).click();
  const card = page.getByRole('group', { name: /Which one/ });
  const send = card.getByRole('button', { name: /Send answer/ });
  const box = (await send.boundingBox())!;
  expect(box.height, 'as large as a thumb').toBeGreaterThanOrEqual(44);
  expect(box.y + box.height, 'at the bottom').toBeGreaterThan(780);
  expect(box.x + box.width, 'within the page').toBeLessThanOrEqual(390);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, 'nothing is beyond the edge').toBeLessThanOrEqual(390);
  await card.getByRole('radio', { name: 'Left' }).click();
  await send.click({ delay: newcomer });
  await expect
    .poll(async () => (await beckon.questions(page, task!))[0]!.answer?.items[0]?.labels)
    .toEqual(['Left']);
});

test('who cannot see the Inbox can use it for every kind of question', async ({ page, start }) => {
  test.slow();
  const beckon = await start(
    'match: Ask\nask Which one? | Left | Right',
    'match: Permit\npermit Bash {"command":"make check","description":"To see"}',
    'match: Plan\nplan "# The plan\\n\\n1. Read"',
    'match: Fill\nelicit "Where to?" "{\\"properties\\":{\\"name\\":{\\"type\\":\\"string\\"}}}"',
  );
  await beckon.openWith(
    page,
    ...['Ask', 'Permit', 'Plan', 'Fill'].map((title) => ({
      title,
      waitMs: 600_000,
      policy: 'proceed' as const,
    })),
  );
  await beckon.call(page, 'SaveSettings', {
    slots: 6,
    language: '',
    theme: '',
    singleKeys: true,
    away: false,
  });
  await beckon.open(page, '#/inbox');
  const links = page.getByRole('navigation', { name: 'Questions' }).getByRole('link');
  await expect(links).toHaveCount(4, { timeout: patience(20_000) });
  for (let i = 0; i < 4; i++) {
    await links.nth(i).click();
    await expect(links.nth(i)).toHaveAttribute('aria-current', 'true');
    await judge(page, await links.nth(i).innerText());
  }
});

test('of a thousand questions those in sight stand in the document, and the keys reach all', async ({
  page,
  start,
}) => {
  const beckon = await start(agents[0]!);
  const [task] = await beckon.openWith(page, drafts[0]!);
  await expect.poll(async () => (await beckon.questions(page, task!)).length).toBe(1);
  // The page is given the one that waits, and 999 like it that were asked later.
  await page.route('**/rpc/Attach', async (route) => {
    const response = await route.fetch();
    const frame = (await response.json()) as {
      events: { question?: { id: string; asked: number } }[];
    };
    const one = frame.events.find(({ question }) => question)!.question!;
    for (let nth = 1; nth < 1000; nth++)
      frame.events.push({ question: { ...one, id: `${one.id}-${nth}`, asked: one.asked + nth } });
    await route.fulfill({ json: frame });
  });
  await page.reload();
  await beckon.open(page, '#/inbox');
  const list = page.getByRole('navigation', { name: 'Questions' });
  const rows = list.getByRole('link');
  await expect(list).toContainText('Waiting for you1000');
  await expect(rows.first()).toHaveAttribute('aria-current', 'true');
  expect(await rows.count(), 'rows in the document').toBeLessThan(60);
  for (let nth = 0; nth < 40; nth++) await page.keyboard.press('j');
  const current = list.locator('[aria-current]');
  await expect(page).toHaveURL(/-40$/);
  await expect(current, 'the keys scroll to it').toBeInViewport();
  await list.locator('.virtual').evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await expect(rows.last()).toHaveAttribute('href', /-999$/);
  expect(await rows.count(), 'rows in the document').toBeLessThan(60);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
