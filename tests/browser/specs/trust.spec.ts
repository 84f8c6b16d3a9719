// What an agent would need a project's trust for is asked about at once, and then done.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

const agents = ['text Done.\nsleep 120s'];

async function untrusted(beckon: Beckon, page: Page): Promise<string> {
  const project = {
    dir: beckon.repo.dir,
    name: 'sample',
    key: 'SAM',
    base: 'main',
    trusted: false,
  };
  return (await beckon.call<{ id: string }>(page, 'AddProject', project)).id;
}

const inBacklog = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key}, Backlog`) });
const atWork = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key}, Running`) });

test('a card is queued by key once its project is trusted, and stays where it was until then', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  await beckon.open(page);
  const id = await untrusted(beckon, page);
  await beckon.addTask(page, id, { title: 'By Q', status: 'backlog' });
  await beckon.addTask(page, id, { title: 'By hand', status: 'backlog' });
  await inBacklog(page, 'SAM-2').focus();
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  const trust = page.getByRole('dialog', { name: 'Trust sample?' });
  await trust.getByRole('button', { name: 'Cancel' }).click();
  await expect(inBacklog(page, 'SAM-2')).toBeVisible();

  await inBacklog(page, 'SAM-1').focus();
  await page.keyboard.press('q');
  await expect(trust).toBeVisible();
  await trust.getByRole('button', { name: /Trust sample and start/ }).click();
  await expect(atWork(page, 'SAM-1')).toBeVisible({ timeout: patience(20_000) });
});

test('a new task that is queued in an untrusted project is not said to be queued, and nothing typed is lost', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  await beckon.open(page);
  await untrusted(beckon, page);
  const trust = page.getByRole('dialog', { name: 'Trust sample?' });
  await page
    .getByRole('button', { name: /New task/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Queue me');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(trust).toBeVisible();
  await expect(page.getByText('Queued SAM-1')).toHaveCount(0);
  await trust.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);

  await page
    .getByRole('button', { name: /New task/ })
    .first()
    .click();
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Queue me');
  await page.keyboard.press('ControlOrMeta+Enter');
  await trust.getByRole('button', { name: /Trust sample and start/ }).click();
  await expect(page.getByText('Queued SAM-1')).toBeVisible();
  await expect(atWork(page, 'SAM-1')).toBeVisible({ timeout: patience(20_000) });
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('a card that the queue put back says why, on the board and on its page, and offers what helps', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 1, language: '', theme: '', singleKeys: true });
  const id = await beckon.addProject(page);
  const first = await beckon.addTask(page, id, { title: 'First' });
  await beckon.addTask(page, id, { title: 'Second', status: 'queued' });
  await expect(atWork(page, 'SAM-1')).toBeVisible({ timeout: patience(20_000) });
  const { events } = await beckon.call<{ events: { project?: object }[] }>(
    page,
    'Attach',
    'trustprobe',
  );
  await beckon.call(page, 'EditProject', {
    ...events.find((event) => event.project)!.project,
    trusted: false,
  });
  await beckon.call<Task>(page, 'Stop', first.id);
  await expect(inBacklog(page, 'SAM-2')).toContainText('Can’t start: not trusted yet', {
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-2');
  await expect(page.getByRole('main')).toContainText('Can’t start: not trusted yet');
  await page.getByRole('button', { name: 'Trust…' }).click();
  await page.getByRole('button', { name: /Trust sample and start/ }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible({
    timeout: patience(20_000),
  });
});

test(
  'who is asked for trust reads what the repository steers and runs, and what that does',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    await beckon.open(page);
    for (const [name, text] of Object.entries({
      'CLAUDE.md': 'x',
      '.mcp.json': '{}',
      '.claude/commands/ship.md': 'x',
      '.git/hooks/pre-commit': 'x',
    })) {
      mkdirSync(dirname(join(beckon.repo.dir, name)), { recursive: true });
      writeFileSync(join(beckon.repo.dir, name), text);
    }
    const id = await untrusted(beckon, page);
    await beckon.addTask(page, id, { title: 'Ask me', status: 'backlog' });
    await inBacklog(page, 'SAM-1').focus();
    await page.keyboard.press('q');
    const brings = page
      .getByRole('dialog', { name: 'Trust sample?' })
      .getByRole('list', { name: 'It contains:' });
    for (const line of [
      /MCP servers.*\.mcp\.json/,
      /Git hooks.*pre-commit/,
      /sub-agents and skills.*\.claude\/commands/,
      /Instructions.*CLAUDE\.md/,
    ])
      await expect(brings.getByRole('listitem').filter({ hasText: line })).toBeVisible();
  },
);
