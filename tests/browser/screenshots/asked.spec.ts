// What an agent asks for, and what is said over the page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Beckon, newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

const several = {
  questions: [
    { question: 'How should overlapping ranges be treated?', header: 'Overlaps', options: [{ label: 'Reject', description: 'Strict, and easiest to explain.' }, { label: 'Merge', description: 'Silent for callers, as today.' }, { label: 'Warn', description: 'Merge, and say so in the result.' }] },
    { question: 'Which callers may still send the old format?', header: 'Callers', multiSelect: true, options: [{ label: 'The CLI', description: 'Until the next release.' }, { label: 'Dashboards', description: 'They are updated by hand.' }] },
    { question: 'What is the error called?', header: 'Name', options: [{ label: 'ErrOverlap', description: 'As short as the others.' }, { label: 'ErrOverlappingRanges', description: 'Says it whole.' }] },
  ],
};
const form = { type: 'object', required: ['bucket'], properties: { bucket: { type: 'string', title: 'Bucket', minLength: 3, description: 'Where the samples are kept' }, days: { type: 'integer', title: 'Days to keep them' }, zone: { type: 'string', title: 'Zone', enum: ['eu-west', 'us-east'] }, public: { type: 'boolean', title: 'Readable by everyone' } } };
const plan = '### Reject overlapping ranges\n\n1. Sort the bounds **once**, in `planRanges`\n2. Compare each with the one before it\n3. Report both positions in the error\n\nAdjacent ranges stay valid: `9-10, 10-11` shares a bound, and no hour.';
const flood = Array.from({ length: 103 }, (_, i) => `ask_user {"question":"Shard ${i}?"}`).join('\n');

const agents = [
  `match: Several\nask_user ${JSON.stringify(several)}`,
  `match: Plan\nplan @plan\n-- plan --\n${plan}`,
  `match: Form\nelicit "Where do the samples go?" ${JSON.stringify(form)}`,
  `match: Flood\nparallel\n${flood}\nend`,
  'match: Limit\nerror 429 You have hit your limit',
];

async function asks(beckon: Beckon, page: Page, title: string) {
  const [task] = await beckon.openWith(page, { title, policy: 'wait' });
  return task!;
}

test('the trust of a repository that brings much along', async ({ page, start }) => {
  const beckon = await start('text Done.');
  for (const [name, text] of Object.entries({ 'CLAUDE.md': 'x', '.mcp.json': '{}', '.claude/settings.json': '{}', '.claude/commands/ship.md': 'x' })) {
    mkdirSync(dirname(join(beckon.repo.dir, name)), { recursive: true });
    writeFileSync(join(beckon.repo.dir, name), text);
  }
  await beckon.open(page);
  const { id } = await beckon.call<{ id: string }>(page, 'AddProject', { dir: beckon.repo.dir, name: 'kestrel', key: 'KES', base: 'main', trusted: false });
  await beckon.addTask(page, id, { title: 'Reject overlapping time ranges', status: 'backlog' });
  await page.getByRole('article', { name: /^KES-1/ }).focus();
  await page.keyboard.press('q');
  await expect(page.getByRole('button', { name: /Trust kestrel and start/ })).toBeEnabled();
  await take(page, 'trust');
});

for (const [name, title, shows] of [['question-several', 'Several questions', /overlapping ranges/], ['plan', 'Plan the check', /Plan ready/], ['form', 'Form of a server', /samples go/]] as const) {
  test(`what is asked: ${title}`, async ({ page, start }) => {
    const beckon = await start(...agents);
    const task = await asks(beckon, page, title);
    await beckon.open(page, `#/task/${task.key}`);
    await expect(page.getByRole('group', { name: shows })).toBeVisible({ timeout: 30_000 });
    await take(page, `${name}-task`);
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('group', { name: shows })).toBeVisible();
    await take(page, name);
  });
}

test('an answer that left, and its change', async ({ page, start }) => {
  const overlaps = { question: 'How should the parser treat ranges that overlap?', options: [{ label: 'Reject the query', description: 'Strict, and easiest to explain.' }, { label: 'Merge them into one range', description: 'Silent for callers. Hides a likely typo.' }, { label: 'Let the last one win', description: 'What 1.x does today.' }] };
  const beckon = await start(
    `match: overlap\ntext The grammar accepts any number of ranges. I add a table test first.\nask_user ${JSON.stringify(overlaps)}\nwrite plan/overlap.go package plan\nsleep 120s`,
    'match: currency\nsleep 1s\ntext The schema is ready. Next I generate the migration.\npermit Bash {"command":"pnpm prisma migrate dev --name invoice_currency","description":"Generate the migration"}',
  );
  const [task] = await beckon.openWith(page, { title: 'Reject ranges that overlap', policy: 'wait' }, { title: 'Add a currency column', policy: 'wait' });
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('navigation', { name: 'Questions' }).getByRole('link')).toHaveCount(2, { timeout: 30_000 });
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(page.getByRole('group', { name: /wants to run a command/ })).toBeVisible();
  await take(page, 'answer-at-once');
  await beckon.open(page, `#/task/${task!.key}`);
  const session = page.getByRole('log', { name: 'Session' });
  await expect(session).toContainText('overlap.go');
  await session.getByRole('button', { name: 'Change the answer' }).click();
  await page.getByRole('region', { name: 'Change the answer' }).getByRole('radio', { name: /Merge them/ }).click();
  await take(page, 'answer-change');
});

test('the lines over the page', async ({ page, start }) => {
  const beckon = await start(...agents);
  const flooding = await asks(beckon, page, 'Flood the Inbox');
  const { projectId } = flooding as typeof flooding & { projectId: string };
  await expect(page.getByRole('status').filter({ hasText: 'more than anyone can answer' })).toBeVisible({ timeout: 30_000 });
  await beckon.addTask(page, projectId, { title: 'Limit of the account' });
  await expect(page.getByRole('article', { name: /^SAM-2, (?!Running)/ })).toBeVisible({ timeout: 30_000 });
  await take(page, 'banners');
});

test('the disk is full', async ({ page, start }) => {
  // What the back end says while the disk is full is put among its words.
  await page.routeWebSocket(/\/events/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const frame = JSON.parse(message.toString()) as { events: object[] };
      socket.send(JSON.stringify({ ...frame, events: [...(frame.events ?? []), { disk: { full: true, dir: '/home/ada/.local/share/beckon' } }] }));
    });
  });
  const beckon = await start('text Done.');
  await asks(beckon, page, 'Work');
  await expect(page.getByRole('alert').filter({ hasText: 'full' })).toBeVisible({ timeout: 30_000 });
  await take(page, 'disk-full');
});
