import type { Locator, Page } from '@playwright/test';
import { type Beckon, newcomer, type Question, type Task } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';

/** Starts a task and shows its question in the Inbox. */
async function asked(
  page: Page,
  beckon: Beckon,
  name: RegExp,
): Promise<{ task: Task; card: Locator }> {
  const [task] = await beckon.openWith(page, { title: 'Draw', policy: 'wait' });
  await beckon.open(page, '#/inbox');
  const card = page.getByRole('group', { name });
  await expect(card).toBeVisible();
  await page.waitForTimeout(newcomer);
  return { task: task!, card };
}

async function answerOf(beckon: Beckon, page: Page, task: Task): Promise<Question['answer']> {
  await expect.poll(async () => (await beckon.questions(page, task))[0]!.answer).toBeTruthy();
  return (await beckon.questions(page, task))[0]!.answer;
}

const plan = 'plan Read, then **write**\ntext It is: ${answer}';

test(
  'a plan is edited where it stands, and approved as it is then',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(plan);
    const { task, card } = await asked(page, beckon, /Plan ready/);
    await page.keyboard.press('e');
    const text = card.getByLabel('The plan, in Markdown');
    await expect(text).toBeFocused();
    await text.fill('Read *twice*');
    await choose(card.getByLabel('After approval'), 'Accept edits');
    await card.getByRole('button', { name: /Approve as edited/ }).click();
    expect(await answerOf(beckon, page, task)).toMatchObject({
      verdict: 'allow',
      plan: 'Read *twice*',
      mode: 'acceptEdits',
    });
    await beckon.open(page, `#/task/${task.key}`);
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('It is: Read twice');
  },
);

test('a plan is sent back with what should change', async ({ page, start }) => {
  const beckon = await start(plan);
  const { task, card } = await asked(page, beckon, /Plan ready/);
  await page.keyboard.press('2');
  await expect(card.getByLabel('What should change?')).toBeFocused();
  await page.keyboard.type('Read less');
  await page.keyboard.press('Enter');
  expect(await answerOf(beckon, page, task)).toMatchObject({ verdict: 'deny', text: 'Read less' });
});

test('on a task’s page what should change in a plan has one field, to which its key and its button lead', async ({
  page,
  start,
}) => {
  const beckon = await start(plan);
  const [task] = await beckon.openWith(page, { title: 'Draw', policy: 'wait' });
  await beckon.open(page, `#/task/${task!.key}`);
  const card = page.getByRole('group', { name: /Plan ready/ });
  const composer = page.getByLabel('Message to Claude');
  await expect(card).toBeVisible();
  await page.waitForTimeout(newcomer);
  await expect(composer).toHaveAttribute('placeholder', 'Say what should change in the plan…');
  await expect(card.getByRole('textbox')).toHaveCount(0);
  await page.keyboard.press('2');
  await expect(composer).toBeFocused();
  await composer.blur();
  await card.getByRole('button', { name: /Request changes/ }).click();
  await expect(composer).toBeFocused();
  await page.keyboard.type('Read less');
  await page.keyboard.press('Enter');
  expect(await answerOf(beckon, page, task!)).toMatchObject({ verdict: 'deny', text: 'Read less' });
});

test('what was begun in the Inbox to change a plan is seen and sent on the task’s page', async ({
  page,
  start,
}) => {
  const beckon = await start(plan);
  const { task, card } = await asked(page, beckon, /Plan ready/);
  await card.getByLabel('What should change?').fill('Read less');
  await beckon.open(page, `#/task/${task.key}`);
  await expect(card.getByLabel('What should change?')).toHaveValue('Read less');
  await page.waitForTimeout(newcomer);
  await card.getByRole('button', { name: /Request changes/ }).click();
  expect(await answerOf(beckon, page, task)).toMatchObject({ verdict: 'deny', text: 'Read less' });
});

const schema =
  '{"type":"object","required":["name"],"properties":{"name":{"type":"string","title":"Bucket","minLength":3},"size":{"type":"integer","title":"Size"},"zone":{"type":"string","title":"Zone","enum":["eu","us"]},"public":{"type":"boolean","title":"Public"}}}';
const form = `elicit "Where does it go?" ${JSON.stringify(schema)}\ntext It went: \${answer}`;

test(
  'a form that a server asks for is filled in, and says what is wrong before it is sent',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(form);
    const { task, card } = await asked(page, beckon, /Where does it go/);
    await card.getByLabel('Bucket').fill('ab');
    await card.getByLabel('Size').fill('1.5');
    await card.getByLabel('Size').press('Tab');
    await choose(card.getByLabel('Zone'), 'eu');
    await expect(card.getByText('At least 3 characters.')).toBeVisible();
    await expect(card.getByText('This is not a whole number.')).toBeVisible();
    await expect(card.getByRole('button', { name: /^Send/ })).toBeDisabled();
    await card.getByLabel('Bucket').fill('logs');
    await card.getByLabel('Size').fill('4');
    await card.getByLabel('Public').check();
    await card.getByRole('button', { name: /^Send/ }).click();
    const answer = await answerOf(beckon, page, task);
    expect(JSON.parse((answer as { content?: string }).content ?? '')).toEqual({
      name: 'logs',
      size: 4,
      zone: 'eu',
      public: true,
    });
    await beckon.open(page, `#/task/${task.key}`);
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('It went: accept');
  },
);

test('Enter on a card of the board opens what only fields answer, with the caret in the first, and what is not chosen yet', async ({
  page,
  start,
}) => {
  const beckon = await start(
    `match: Fill\n${form}`,
    'match: Name\nask_user {"question":"What is it called?"}\ntext It is ${answer}',
    'match: Choose\nask Which one? | Left | Right\ntext You said: ${answer}',
  );
  const tasks = await beckon.openWith(
    page,
    ...['Fill', 'Name', 'Choose'].map((title) => ({ title, policy: 'wait' as const })),
  );
  const press = async (task: Task, key: string) => {
    await beckon.open(page);
    await page.getByRole('article', { name: new RegExp(`^${task.key}, needs you`, 'i') }).focus();
    await page.waitForTimeout(newcomer);
    await page.keyboard.press(key);
    await expect(page).toHaveURL(/#\/inbox\/./);
  };
  await press(tasks[0]!, 'Enter');
  await expect(page.getByLabel('Bucket')).toBeFocused();
  await press(tasks[1]!, 'Enter');
  const words = page.getByLabel('Your own words').last();
  await expect(words).toBeFocused();
  await page.waitForTimeout(newcomer);
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  expect(await answerOf(beckon, page, tasks[1]!)).toMatchObject({ items: [{ other: 'Ada' }] });
  await press(tasks[2]!, 'o');
  await expect(words).toBeFocused();
  await press(tasks[2]!, 'Enter');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await expect(words).not.toBeFocused();
});

test('a form is declined', async ({ page, start }) => {
  const beckon = await start(form);
  const { task, card } = await asked(page, beckon, /Where does it go/);
  await card.getByRole('button', { name: 'Decline' }).click();
  expect(await answerOf(beckon, page, task)).toMatchObject({ verdict: 'deny' });
});

test('S skips a question, and the agent hears of it', async ({ page, start }) => {
  const beckon = await start('ask Which one? | Left | Right\ntext Heard: ${answer}');
  const { task } = await asked(page, beckon, /Which one/);
  await page.keyboard.press('s');
  expect(await answerOf(beckon, page, task)).toMatchObject({ verdict: 'skip' });
  await expect(page.getByRole('navigation', { name: 'Questions' })).toContainText('Skipped');
});

test(
  'an answer that stands is given by the rule the next time, and shown as such, until it is revoked',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('ask Which one? | Left | Right\ntext You said: ${answer}');
    const { task, card } = await asked(page, beckon, /Which one/);
    await card.getByLabel('Always give this answer in this project').check();
    await card.getByRole('radio', { name: 'Right' }).click();
    await card.getByRole('button', { name: /Send answer/ }).click();
    await answerOf(beckon, page, task);
    const { projectId } = task as Task & { projectId: string };
    const again = await beckon.addTask(page, projectId, { title: 'Draw again', policy: 'wait' });
    await beckon.open(page, `#/task/${again.key}`);
    const session = page.getByRole('log', { name: 'Session' });
    await expect(session).toContainText('A rule answered Right');
    await expect(session).toContainText('You said: Right');
    await session.getByRole('button', { name: 'Change the answer' }).click();
    const change = page.getByRole('region', { name: 'Change the answer' });
    await expect(change.getByRole('radio', { name: /Right/ })).toContainText('your answer');
    await change.getByRole('radio', { name: 'Left' }).click();
    await change.getByRole('button', { name: /Send the change/ }).click();
    await expect
      .poll(async () => (await answerOf(beckon, page, again))!.items[0]!.labels)
      .toEqual(['Left']); // the rule's stands till then
    await beckon.open(page, '#/settings/SAM');
    await expect(page.getByRole('textbox', { name: 'Answer to “Which one?”' })).toHaveValue(
      'Right',
    );
    await page.getByRole('button', { name: 'Revoke the answer to “Which one?”' }).click();
    await expect(page.getByText('None yet. Choose “Always give')).toBeVisible();
  },
);

test('a permission for the project says what it allows, and is taken back in the settings', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'permit Bash {"command":"make check","description":"To see"}\ntext The answer was ${answer}',
  );
  const { task, card } = await asked(page, beckon, /wants to run a command/);
  const lasting = card.getByRole('radio', { name: /Always allow in sample/ });
  await expect(lasting).toContainText('make check');
  await lasting.click();
  await card.getByRole('button', { name: /Allow in project/ }).click();
  expect(await answerOf(beckon, page, task)).toMatchObject({
    verdict: 'allowAlways',
    project: true,
  });
  await beckon.open(page, '#/settings/SAM');
  await page.getByRole('button', { name: /Stop allowing .*make check/ }).click();
  await expect(page.getByText('None yet. Choose “Always allow”')).toBeVisible();
});
