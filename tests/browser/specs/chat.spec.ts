import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

/** An agent that works until it is interrupted, and then repeats what it hears. */
const listener = `text I begin.
sleep 120s
turn
text First heard: \${message}.
turn
text Then heard: \${message}.
turn
text Last heard: \${message}.
sleep 120s`;

interface Session {
  task: Task;
  log: Locator;
  field: Locator;
  queue: Locator;
}

/** Starts a task whose agent begins, and shows its session. */
async function session(page: Page, beckon: Beckon, said = 'I begin.'): Promise<Session> {
  const [task] = await beckon.openWith(page, { title: 'Talk', policy: 'wait' });
  await beckon.open(page, `#/task/${task!.key}`);
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log).toContainText(said, { timeout: patience(20_000) });
  return {
    task: task!,
    log,
    field: page.getByLabel('Message to Claude'),
    queue: page.getByRole('region', { name: 'Queued messages' }),
  };
}

/** Queues messages for the next turns. */
async function enqueue({ field, queue }: Session, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await field.fill(text);
    await field.press('Alt+Enter');
    await expect(queue).toContainText(text);
    await expect(field).toHaveValue('');
  }
}

/** What waits, in order. */
const rows = (queue: Locator) => queue.locator('ol > li .grow');

test('a message sent in the middle of a turn redirects the agent', async ({ page, start }) => {
  const beckon = await start(listener);
  const { log, field } = await session(page, beckon);
  await field.fill('Go left');
  await field.press('Shift+Enter');
  await page.keyboard.type('and then right');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(log).toContainText('First heard: Go left');
  await expect(log).toContainText('and then right');
});

test('what is being written is seen whole in a window that became narrow, or wide again', async ({
  page,
  start,
}) => {
  const beckon = await start(listener);
  const { field } = await session(page, beckon);
  const text =
    'Keep the old route until the dashboard is switched over, and say so in the log. '.repeat(2);
  await field.fill(text);
  const lines = () =>
    field.evaluate((area) => ({ shown: area.clientHeight, all: area.scrollHeight }));
  const before = await lines();
  await page.setViewportSize({ width: 700, height: 900 });
  await expect.poll(async () => (await lines()).shown).toBeGreaterThan(before.shown);
  await expect
    .poll(async () => {
      const { shown, all } = await lines();
      return all - shown;
    })
    .toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(lines).toEqual(before);
});

test(
  'three messages wait, are edited, moved, removed and put back, and go out in that order',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(listener);
    const all = await session(page, beckon);
    const { queue, field, log } = all;
    await enqueue(all, 'one', 'two', 'three');
    await expect(rows(queue)).toHaveText(['one', 'two', 'three']);

    await queue.getByRole('button', { name: 'Edit: two' }).click();
    await queue.getByLabel('Edit the message').fill('two and a half');
    await page.keyboard.press('Enter');
    await expect(rows(queue)).toHaveText(['one', 'two and a half', 'three']);

    await queue.getByRole('button', { name: 'Edit: three' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(rows(queue)).toHaveText(['one', 'three', 'two and a half']);
    await expect(queue.getByRole('button', { name: 'Edit: three' })).toBeFocused();

    const from = (await rows(queue).nth(0).boundingBox())!;
    const to = (await rows(queue).nth(2).boundingBox())!;
    await page.mouse.move(from.x + 20, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y + 30, { steps: 6 });
    await page.mouse.move(to.x + 20, to.y + 18, { steps: 12 });
    await expect(rows(queue)).toHaveText(['three', 'two and a half', 'one']); // as a hand sees before it lets go
    await page.mouse.up();
    await expect(rows(queue)).toHaveText(['three', 'two and a half', 'one']);

    await queue.getByRole('button', { name: 'Remove: one' }).click();
    await expect(rows(queue)).toHaveText(['three', 'two and a half']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(rows(queue)).toHaveText(['three', 'two and a half', 'one']);
    await judge(page, 'the queue');

    await field.focus();
    await page.keyboard.press('Escape');
    await expect(log).toContainText('First heard: three', { timeout: patience(20_000) });
    await expect(log).toContainText('Then heard: two and a half', { timeout: patience(20_000) });
    await expect(log).toContainText('Last heard: one', { timeout: patience(20_000) });
    await expect(queue).toBeHidden();
  },
);

test('what is typed and what waits outlive a reload, and a restart of Beckon', async ({
  page,
  start,
}) => {
  const beckon = await start(listener);
  const all = await session(page, beckon);
  await enqueue(all, 'after the turn');
  await all.field.fill('half a thou');
  await page.reload();
  await expect(all.field).toHaveValue('half a thou');
  await expect(rows(all.queue)).toHaveText(['after the turn']);

  await expect
    .poll(async () => JSON.stringify(await beckon.call(page, 'Drafts')))
    .toContain('half a thou');
  await beckon.kill();
  await beckon.serve();
  await page.evaluate(() => sessionStorage.clear());
  await beckon.open(page, `#/task/${all.task.key}`);
  await expect(rows(all.queue)).toHaveText(['after the turn']);
  await expect(all.queue).toContainText('Sent when you resume Claude');
  await expect(all.field).toHaveValue('half a thou');
});

test('a message that cannot be sent is back in the field', async ({ page, start }) => {
  const beckon = await start(listener);
  const { field } = await session(page, beckon);
  await page.route('**/rpc/SendMessage', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'the disk is full' } }),
  );
  await field.fill('Never lost');
  await field.press('Enter');
  await expect(page.getByRole('region', { name: 'Messages', exact: true })).toContainText(
    'Your message is kept. The disk is full',
  );
  await expect(field).toHaveValue('Never lost');
});

test(
  'commands and files are completed by keys alone, and Esc closes the list without interrupting',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(listener);
    const { field, log } = await session(page, beckon);
    await field.focus();
    await page.keyboard.type('/');
    const commands = page.getByRole('listbox', { name: 'Commands' });
    await expect(commands.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await judge(page, 'the commands');
    await page.keyboard.press('Escape');
    await expect(commands).toBeHidden();
    await expect(field).toBeFocused();
    await expect(log).not.toContainText('nterrupted');

    await field.fill('');
    await page.keyboard.type('See @gre');
    const files = page.getByRole('listbox', { name: 'Files' });
    await expect(files.getByRole('option')).toHaveText([/greet\.ts/]); // it may list all of them first
    await judge(page, 'the files');
    await page.keyboard.press('Tab');
    await expect(field).toHaveValue('See @src/greet.ts ');
    await expect(field).toBeFocused();
  },
);

test('Up brings back what was said, Down goes back to an empty field', async ({ page, start }) => {
  const beckon = await start(listener);
  const all = await session(page, beckon);
  await enqueue(all, 'said last');
  await all.field.press('ArrowUp');
  await expect(all.field).toHaveValue('said last');
  await all.field.press('ArrowUp');
  await expect(all.field).toHaveValue(/Talk/);
  await all.field.press('ArrowDown');
  await all.field.press('ArrowDown');
  await expect(all.field).toHaveValue('');
});

test('a picture that is pasted goes along, and stays through a reload', async ({ page, start }) => {
  const beckon = await start(listener);
  const { field, queue, task } = await session(page, beckon);
  await field.focus();
  await field.evaluate(async (element) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1200 });
    canvas.getContext('2d')!.fillRect(10, 10, 500, 500);
    const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!)));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], 'screen.png', { type: 'image/png' }));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  const picture = page.getByRole('img', { name: 'screen.png' });
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
  ).toEqual([1568, 784]);
  await judge(page, 'a picture');
  await expect
    .poll(async () => JSON.stringify(await beckon.call(page, 'Drafts')))
    .toContain('screen.png');
  await page.reload();
  await expect(picture).toBeVisible();

  await field.fill('What is this?');
  await field.press('Alt+Enter');
  await expect(queue).toContainText('1 picture');
  await expect(picture).toBeHidden();
  expect(task.key).toBe('SAM-1');
});

test('a text file goes into the message, another says why not', async ({ page, start }) => {
  const beckon = await start(listener);
  const { field } = await session(page, beckon);
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({
    name: 'notes.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Notes\n'),
  });
  await expect(field).toHaveValue('notes.md:\n```\n# Notes\n```\n');
  await chooser.setInputFiles({
    name: 'all.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK'),
  });
  await expect(page.getByRole('region', { name: 'Messages', exact: true })).toContainText(
    'all.zip is neither a picture nor text',
  );
});

test('the composer answers the question that is open, and says so before', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Which one? | Left | Right\ntext You said ${answer}.\nsleep 60s');
  const [task] = await beckon.openWith(page, { title: 'Choose', policy: 'wait' });
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible({
    timeout: patience(20_000),
  });
  const field = page.getByLabel('Message to Claude');
  await expect(field).toHaveAttribute('placeholder', 'Answer in your own words…');
  await field.fill('Neither, go straight');
  await expect(field).toHaveAccessibleDescription('Answers the question from Claude');
  await expect(async () => {
    // A question that has just come takes no Enter.
    await field.press('Enter');
    await expect(field).toHaveValue('', { timeout: 300 });
  }).toPass({ timeout: patience(10_000) });
  await expect(page.getByRole('log', { name: 'Session' })).toContainText(
    'You said Neither, go straight',
  );
  expect((await beckon.questions(page, task!))[0]!.answer?.items[0]).toMatchObject({
    labels: [],
    other: 'Neither, go straight',
  });
});

test('model, permissions, context and servers are within reach, and the panels close by Esc', async ({
  page,
  start,
}) => {
  const beckon = await start(listener);
  const { field } = await session(page, beckon);
  const controls = page.getByRole('group', { name: 'How Claude works' });
  await choose(controls.getByLabel('Permissions'), 'Plan first');
  await expect(controls.locator('.pill').nth(1)).toContainText('Plan first');
  await choose(controls.getByLabel('Permissions'), 'Skip all checks');
  await page
    .getByRole('dialog', { name: 'Skip all checks?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await expect(controls.locator('.pill').nth(1)).toContainText('Plan first');

  for (const name of [/^Context/, 'MCP servers']) {
    await controls.getByRole('button', { name }).click();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await expect(page.getByText('Asking Claude…')).toBeHidden();
    await judge(page, String(name));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toBeHidden();
    await expect(controls.getByRole('button', { name })).toBeFocused();
  }
  await expect(field).toBeVisible();
});

test('a chat that was ended goes on with the next message', async ({ page, start }) => {
  const beckon = await start('text In the chat: ${message}.');
  const [task] = await beckon.openWith(page, { title: 'Look around', status: 'backlog' });
  await beckon.open(page, `#/task/${task!.key}`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const log = page.getByRole('log', { name: 'Session' });
  const field = page.getByLabel('Message to Claude');
  await expect(field).toBeVisible({ timeout: patience(20_000) });
  await field.fill('Hello');
  await field.press('Enter');
  await expect(log).toContainText('Hello');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(field).toHaveAttribute('placeholder', 'Message Claude to resume…', {
    timeout: patience(20_000),
  });
  await field.fill('Still there?');
  await field.press('Enter');
  await expect(log).toContainText('Still there?', { timeout: patience(20_000) });
  await expect(field).toHaveAttribute('placeholder', 'Message Claude…', {
    timeout: patience(20_000),
  });
  await expect(page.getByRole('region', { name: 'Queued messages' })).toBeHidden({
    timeout: patience(20_000),
  });
});

test(
  'a rewind shows which files go back before it asks, and says why it cannot while Claude works',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(
      'edit src/greet.ts hello hallo\ntext Changed.\nturn\ntext At work.\nsleep 120s',
    );
    const [task] = await beckon.openWith(page, { title: 'Look around', status: 'backlog' });
    await beckon.open(page, `#/task/${task!.key}`);
    await page.getByRole('button', { name: 'Open chat' }).click();
    const log = page.getByRole('log', { name: 'Session' });
    const field = page.getByLabel('Message to Claude');
    await field.fill('Please greet');
    await field.press('Enter');
    await expect(log).toContainText('Changed.', { timeout: patience(20_000) });
    await expect(field.locator('xpath=../..')).not.toContainText('interrupt');

    const rewind = async () => {
      const message = log.locator('.virtual-row').filter({ hasText: 'Please greet' }).first();
      await message.hover();
      await message.getByRole('button').last().click();
      await page.getByRole('menuitem', { name: /Rewind files/ }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Rewind files to here?' });
    const sure = dialog.getByRole('button', { name: 'Rewind files' });
    await rewind();
    await expect(sure).toBeEnabled();
    await expect(dialog).toContainText('src/greet.ts');
    await judge(page, 'the rewind');
    await sure.click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Restored 1 file')).toBeVisible();

    await field.fill('Go on');
    await field.press('Enter');
    await expect(log).toContainText('At work.', { timeout: patience(20_000) });
    await rewind();
    await expect(dialog).toContainText('The agent is working');
    await expect(sure).toBeDisabled();
  },
);
