import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';

const settled = 20_000;

/** An agent in the middle of a command, which reads nothing before that is over. */
const busy = 'text I begin.\nrun sleep 120';

interface Talk {
  task: Task;
  log: Locator;
  field: Locator;
  controls: Locator;
}

function parts(page: Page, task: Task): Talk {
  return {
    task,
    log: page.getByRole('log', { name: 'Session' }),
    field: page.getByLabel('Message to Claude'),
    controls: page.getByRole('group', { name: 'How Claude works' }),
  };
}

/** Opens a chat and has it answer once. */
async function chat(page: Page, beckon: Beckon): Promise<Talk> {
  const [task] = await beckon.openWith(page, { title: 'Look around', status: 'backlog' });
  await beckon.open(page, `#/task/${task!.key}`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const talk = parts(page, task!);
  await talk.field.fill('Hello');
  await talk.field.press('Enter');
  await expect(talk.log).toContainText('In the chat: Hello.', { timeout: settled });
  return talk;
}

/** Starts a task whose agent is busy. */
async function atWork(page: Page, beckon: Beckon): Promise<Talk> {
  const [task] = await beckon.openWith(page, { title: 'Talk', policy: 'wait' });
  await beckon.open(page, `#/task/${task!.key}`);
  const talk = parts(page, task!);
  await expect(talk.log).toContainText('sleep 120', { timeout: settled });
  return talk;
}

test(
  'the model and the effort are changed while the chat lives, and stand after a reload',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text In the chat: ${message}.');
    const { controls } = await chat(page, beckon);
    await choose(controls.getByLabel('Effort'), 'Effort: high');
    await expect(controls).toContainText('Effort: high');
    await page.reload();
    await expect(controls).toContainText('Effort: high', { timeout: settled });
    await choose(controls.getByLabel('Model'), 'Sonnet');
    await expect(controls).toContainText('Sonnet');
    await expect(controls.getByLabel('Effort'), 'this model has none').toBeHidden();
    await page.reload();
    await expect(controls).toContainText('Sonnet', { timeout: settled });
  },
);

test('a model that is chosen in the middle of a turn is said to begin with the next, after a reload too', async ({
  page,
  start,
}) => {
  const beckon = await start('text In the chat: ${message}.\nturn\nask Which? | A | B\ntext One.');
  const { controls, field, task } = await chat(page, beckon);
  await field.fill('Ask me');
  await field.press('Enter');
  await expect(page.getByRole('group', { name: /Which/ })).toBeVisible({ timeout: settled });
  await choose(controls.getByLabel('Model'), 'Sonnet');
  await expect(controls.getByRole('status')).toHaveText('from the next turn');
  await expect(controls).toContainText('Sonnet');
  await page.reload();
  await expect(controls.getByRole('status')).toHaveText('from the next turn', { timeout: settled });
  await expect(controls).toContainText('Sonnet');
  const [question] = await beckon.questions(page, task);
  await beckon.call(page, 'AnswerQuestion', question!.id, {
    items: [{ labels: ['A'], other: '' }],
    verdict: '',
    text: '',
    by: '',
    at: 0,
  });
  await expect(controls.getByRole('status')).toHaveText('', { timeout: settled });
  await expect(controls, 'at rest, the model of the next turn').toContainText('Sonnet');
});

test('a fork is a task of its own, and what is said there is not said here', async ({
  page,
  start,
}) => {
  const beckon = await start('text In the chat: ${message}.');
  const { controls, log, field } = await chat(page, beckon);
  await controls.getByRole('button', { name: 'Fork' }).click();
  await page.getByText('SAM-2 continues from here').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(/#\/task\/SAM-2$/);
  await field.fill('Only in the fork');
  await field.press('Enter');
  await expect(log).toContainText('Only in the fork', { timeout: settled });
  await beckon.open(page, '#/task/SAM-1');
  await expect(log).toContainText('In the chat: Hello.');
  await expect(log).not.toContainText('Only in the fork');
});

test('Compact makes room, and the session says where', async ({ page, start }) => {
  const beckon = await start('text In the chat: ${message}.');
  const { controls, log } = await chat(page, beckon);
  await controls.getByRole('button', { name: /^Context/ }).click();
  await page
    .getByRole('dialog', { name: /^Context/ })
    .getByRole('button', { name: 'Compact' })
    .click();
  await expect(page.getByText('Claude will compact its context when the turn ends')).toBeVisible();
  await expect(log).toContainText('The session was shortened here.', { timeout: settled });
});

test('a tool server that failed is connected again from the page', async ({ page, start }) => {
  const beckon = await start(`down: tracker\n${busy}`);
  const { controls } = await atWork(page, beckon);
  await controls.getByRole('button', { name: 'MCP servers' }).click();
  const panel = page.getByRole('dialog', { name: 'MCP servers' });
  await expect(panel).toContainText('connection refused');
  await panel.getByRole('button', { name: 'Reconnect tracker' }).click();
  await expect(panel).not.toContainText('connection refused', { timeout: settled });
  await expect(panel.getByRole('button', { name: 'Reconnect tracker' })).toBeHidden();
});

test('a message that the agent has not read is taken back into the field', async ({
  page,
  start,
}) => {
  const beckon = await start(busy);
  const { task, field } = await atWork(page, beckon);
  await beckon.steer(page, task.id, 'Rather not');
  const queue = page.getByRole('region', { name: 'Queued messages' });
  await expect(queue).toContainText('sent, not read yet');
  await queue.getByRole('button', { name: 'Take back' }).click();
  await expect(field).toHaveValue('Rather not');
  await expect(queue).toBeHidden();
});

test('a file that is dropped on the composer goes into the message', async ({ page, start }) => {
  const beckon = await start(busy);
  const { field } = await atWork(page, beckon);
  const dropped = await page.evaluateHandle(() => {
    const files = new DataTransfer();
    files.items.add(new File(['# Notes\n'], 'notes.md', { type: 'text/markdown' }));
    return files;
  });
  await field.dispatchEvent('dragover', { dataTransfer: dropped });
  await field.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(field).toHaveValue('notes.md:\n```\n# Notes\n```\n');
  await expect(field).toBeFocused();
});

test('the settings list the keys, and those that lead somewhere do', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/settings/keys');
  const rows = page.getByRole('main').locator('dl > div');
  for (const [does, caps] of [
    ['Mission Control', 'G M'],
    ['Search all sessions', 'Control+Shift+F'],
    ['Pane 1 to 9', 'Control+1 – Control+9, G 1 – G 9'],
    ['Lift or drop the card', 'Space'],
  ]) {
    await expect(rows.filter({ hasText: does }).first()).toContainText(caps!);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(/#\/mission$/);
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page).toHaveURL(/#\/inbox$/);
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await expect(page.getByRole('dialog', { name: 'Search all sessions' })).toBeVisible();
});
