import type { Page } from '@playwright/test';
import { type Beckon, newcomer, type Question, type Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { newWindow } from '../support/window';

const several = `
ask {"questions":[{"question":"Which shape?","header":"Shape","multiSelect":false,"options":[{"label":"Round","description":"No corners"},{"label":"Square","description":"Four corners"}]},{"question":"Which colours?","header":"Colours","multiSelect":true,"options":[{"label":"Red","description":""},{"label":"Green","description":""},{"label":"Blue","description":""}]}]}
text You said: \${answer}
`;
const one = 'ask Which one? | Left | Right\ntext You said: ${answer}\n';
const wish = (command: string) =>
  `permit Bash {"command":"${command}","description":"To see"}\ntext The answer was \${answer}\n`;

/** Starts a task and shows its page with its question. */
async function asked(page: Page, beckon: Beckon, text: RegExp): Promise<Task> {
  const [task] = await beckon.openWith(page, { title: 'Draw' });
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('group', { name: text })).toBeVisible();
  await page.waitForTimeout(newcomer);
  return task!;
}

/** Begins an answer in own words. */
async function write(page: Page, words: string) {
  await page.keyboard.press('o');
  await expect(page.getByLabel('Your own words').last()).toBeFocused();
  await page.keyboard.type(words);
}

/** Writes a word with an input method and confirms it, with WebKit's events: the keydown comes after compositionend. */
async function compose(page: Page, word: string) {
  await page
    .getByLabel('Your own words')
    .last()
    .evaluate((field: HTMLTextAreaElement, word) => {
      const keydown = (key: string) =>
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true }),
        );
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      field.setRangeText(word, field.value.length, field.value.length, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true, data: word }));
      field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: word }));
      keydown('Enter');
      keydown('Escape'); // drops another word
    }, word);
}

async function latest(beckon: Beckon, page: Page, task: Task): Promise<Question> {
  return (await beckon.questions(page, task)).at(-1)!;
}

test(
  'several questions are answered with digits and Enter, many choices among them',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(several);
    const task = await asked(page, beckon, /Which shape/);
    // One choice is enough here: the next question comes by itself, and is read before it hears keys.
    await page.keyboard.press('2');
    await expect(page.getByRole('group', { name: /Which colours/ }).first()).toBeVisible();
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    await page.keyboard.press('2'); // takes it back
    await page.keyboard.press('Enter');
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('Square');
    const { answer } = await latest(beckon, page, task);
    expect(answer!.items).toEqual([
      { labels: ['Square'], other: '' },
      { labels: ['Red', 'Blue'], other: '' },
    ]);
  },
);

test('an answer in own words reaches the agent, and not before an input method is done', async ({
  page,
  start,
}) => {
  const beckon = await start(one);
  await asked(page, beckon, /Which one/);
  await write(page, 'Neither, take 2 of ');
  await compose(page, '両方');
  await page.keyboard.type(', please');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText(
    'You said: Neither, take 2 of 両方, please',
  );
});

test('a permission is given once by its key', async ({ page, start }) => {
  const beckon = await start(wish('echo seen'));
  const task = await asked(page, beckon, /wants to run a command/);
  await expect(page.getByRole('group', { name: /wants to run a command/ })).toContainText(
    'echo seen',
  );
  await page.keyboard.press('1');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('The answer was allow');
  expect((await latest(beckon, page, task)).answer!.verdict).toBe('allow');
});

test('a permission is denied with a reason that the agent reads', async ({ page, start }) => {
  const beckon = await start(wish('echo seen'));
  const task = await asked(page, beckon, /wants to run a command/);
  const card = page.getByRole('group', { name: /wants to run a command/ });
  await card.getByRole('radio', { name: /Deny/ }).click();
  await card.getByLabel('Reason, if you deny').fill('Read the file instead');
  await card.getByRole('button', { name: /Deny/ }).click();
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('The answer was deny');
  expect((await latest(beckon, page, task)).answer).toMatchObject({
    verdict: 'deny',
    text: 'Read the file instead',
  });
});

test(
  'what can destroy work takes a second press, and never by the key that was pressed by chance',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(wish('rm -rf build'));
    const task = await asked(page, beckon, /wants to run a command/);
    const card = page.getByRole('group', { name: /wants to run a command/ });
    await expect(card).toContainText('This can destroy work');
    await page.keyboard.press('Enter');
    expect((await latest(beckon, page, task)).settlement, 'nothing is chosen beforehand').toBe(
      'open',
    );
    await page.keyboard.press('1');
    await expect(card.getByRole('button', { name: /Press again to allow/ })).toBeVisible();
    await page.waitForTimeout(3200);
    await expect(card.getByRole('button', { name: /Press again to allow/ })).toBeHidden();
    expect((await latest(beckon, page, task)).settlement, 'one press, however long ago').toBe(
      'open',
    );
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('The answer was allow');
  },
);

test('who wants a moment takes an answer back in it, and it was never sent', async ({
  page,
  start,
}) => {
  const beckon = await start(one);
  await beckon.open(page);
  await beckon.takeBack(page, 2000);
  const task = await asked(page, beckon, /Which one/);
  await page.keyboard.press('1');
  await page
    .getByRole('region', { name: 'Messages' })
    .getByRole('button', { name: 'Undo' })
    .click();
  const card = page.getByRole('group', { name: /Which one/ });
  await expect(card).toBeVisible();
  await page.waitForTimeout(2500);
  expect((await latest(beckon, page, task)).settlement).toBe('open');
  await page.keyboard.press('2');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('You said: Right');
});

test('who answers second learns of it, and keeps what they wrote', async ({ page, start }) => {
  const beckon = await start(one);
  const task = await asked(page, beckon, /Which one/);
  await write(page, 'A long thought');

  const other = await newWindow(page);
  await beckon.open(other, '#/inbox');
  const card = other.getByRole('group', { name: /Which one/ });
  await card.getByRole('radio', { name: 'Right' }).click();
  await other.waitForTimeout(newcomer);
  await card.getByRole('button', { name: /Send answer/ }).click();
  await expect(page.getByText('Answered elsewhere')).toBeVisible();
  await expect(page.locator('.kept')).toContainText('A long thought');
  expect((await latest(beckon, page, task)).answer!.items).toEqual([
    { labels: ['Right'], other: '' },
  ]);
});

test('of two who answer at once the later one sees the first answer beside their own words', async ({
  page,
  start,
}) => {
  const beckon = await start(one);
  const task = await asked(page, beckon, /Which one/);
  const other = await newWindow(page);
  await beckon.open(other, `#/task/${task.key}`);
  await expect(other.getByRole('group', { name: /Which one/ })).toBeVisible();
  await other.waitForTimeout(newcomer);
  await write(page, 'Mine');
  await write(other, 'Yours');
  // Sent first, but later there.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/rpc/AnswerQuestion', (route) => held.then(() => route.continue()));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeHidden();
  await other.keyboard.press('Enter');
  await expect.poll(async () => (await latest(beckon, page, task)).settlement).toBe('answered');
  release();
  await expect(page.getByText('Answered elsewhere')).toBeVisible();
  await expect(page.locator('.kept')).toContainText('Mine');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Answered elsewhere')).toBeHidden();
  expect((await latest(beckon, page, task)).answer!.items).toEqual([
    { labels: [], other: 'Yours' },
  ]);
});

test(
  'a key that was meant for one question never answers the next',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(
      'parallel\nask First? | Yes | No\nask Second? | Keep | Drop\nend\ntext Both said.',
    );
    const task = await asked(page, beckon, /First|Second/);
    const before = await page.locator('.ask-q').innerText();
    await page.keyboard.press('2');
    await expect(page.locator('.ask-q')).not.toHaveText(before);
    await page.keyboard.press('2'); // the double press
    await page.waitForTimeout(newcomer);
    const settled = (await beckon.questions(page, task)).map((question) => question.settlement);
    expect(settled.sort()).toEqual(['answered', 'open']);
    await page.keyboard.press('1');
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('Both said.');
  },
);

test('a card on the board is answered where it stands', async ({ page, start }) => {
  const beckon = await start(one);
  const [task] = await beckon.openWith(page, { title: 'Draw' });
  const card = page.getByRole('article', { name: /needs you/ });
  await card.focus();
  await card.getByRole('button', { name: 'Right' }).click({ delay: newcomer });
  await expect
    .poll(async () => (await latest(beckon, page, task!)).answer?.items)
    .toEqual([{ labels: ['Right'], other: '' }]);
});
