import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

let lines = 0;
const files: string[] = [];

/** The step that says a line, which is kept for the end of the script. */
function say(type: 'assistant' | 'user', content: object[], parent: string | null): string {
  const n = ++lines;
  const message = { id: `msg_${n}`, type: 'message', role: type, model: 'opus', content };
  const uuid = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  files.push(`-- l${n} --\n${JSON.stringify({ type, message, parent_tool_use_id: parent, session_id: 's', uuid })}`);
  return `say @l${n}`;
}

const call = (id: string, name: string, input: object, parent: string | null = null) => say('assistant', [{ type: 'tool_use', id, name, input }], parent);
const back = (id: string, content: unknown, parent: string | null = null) => say('user', [{ type: 'tool_result', tool_use_id: id, content }], parent);

function plan(id: string, done: number): string[] {
  const todos = ['Find where ranges are read', 'Report both positions of an overlap', 'Keep adjacent ranges valid', 'Test adjacent, nested and equal ranges'];
  return [call(id, 'TodoWrite', { todos: todos.map((content, i) => ({ content, activeForm: content, status: i < done ? 'completed' : i === done ? 'in_progress' : 'pending' })) }), back(id, 'ok')];
}

const steps = [
  'text Overlapping ranges are counted twice today. I look where the planner reads them before I change anything.',
  'think The planner sorts the bounds, so an overlap is a bound that begins before the one before it ends.',
  ...plan('toolu_a', 0),
  'read plan/ranges.go',
  'run grep -rn "range" plan',
  call('toolu_b', 'Agent', { description: 'Find every caller of planRanges', prompt: 'Who calls it?', subagent_type: 'Explore' }),
  call('toolu_c', 'Grep', { pattern: 'planRanges(' }, 'toolu_b'),
  back('toolu_c', 'plan/ranges.go\nplan/merge.go', 'toolu_b'),
  call('toolu_d', 'Read', { file_path: 'plan/merge.go' }, 'toolu_b'),
  back('toolu_d', '1\tpackage plan', 'toolu_b'),
  back('toolu_b', [{ type: 'text', text: 'Two callers, both sort first.' }]),
  'text Two callers, and both sort first. An overlap can be caught where the bounds are turned into a plan:\n',
  'edit plan/ranges.go "// planRanges turns" "// planRanges refuses overlapping ranges. It turns"',
  'run echo "ranges_test.go:41: got 4 rows, want 2"; exit 1',
  'text @words',
  ...plan('toolu_e', 2),
  'text Adjacent ranges stay valid: `9-10, 10-11` shares a bound, and no hour. Next come the tests.',
  'sleep 600s',
];
files.push('-- words --\nThe test counts an overlap twice. The check belongs **before** the merge:\n\n```go\nif b[i].From < b[i-1].To {\n\treturn overlap(b[i-1], b[i])\n}\n```\n');

test.use({ repo: kestrel });

test('a session, what is looked for in it, and where one can go', async ({ page, start }) => {
  const beckon = await start([...steps, ...files].join('\n'));
  await beckon.open(page);
  const project = await beckon.call<{ id: string }>(page, 'AddProject', { dir: beckon.repo.dir, name: 'kestrel', key: 'KES', base: 'main', trusted: true });
  const task = await beckon.addTask(page, project.id, { title: 'Reject overlapping time ranges in the query parser', labels: ['parser', 'correctness'], brief: 'Overlaps should be caught before planning.\n\n- Report both positions in the error\n- Keep adjacent ranges valid' });
  await beckon.open(page, `#/task/${task.key}`);
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log).toContainText('Next come the tests.', { timeout: 60_000 });
  await log.getByRole('button', { name: /^Planned/ }).click();
  await take(page, 'session');

  await page.getByRole('radio', { name: 'Everything' }).click();
  await take(page, 'session-everything');
  await page.getByRole('radio', { name: 'Normal' }).click();
  await page.keyboard.press('Control+f');
  await page.getByRole('search').getByRole('textbox').fill('overlap');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/ of /);
  await take(page, 'session-find');
  await page.keyboard.press('Escape');
  await log.hover();
  await page.getByRole('button', { name: 'Go to' }).click();
  await expect(page.getByRole('menu', { name: 'Go to' }).getByRole('menuitem')).not.toHaveCount(2);
  await take(page, 'session-go-to');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+Shift+F');
  const sheet = page.getByRole('dialog', { name: 'Search all sessions' });
  await sheet.getByRole('combobox', { name: 'Search all sessions' }).fill('overlap');
  await expect(sheet.getByRole('listbox', { name: 'Results' }).getByRole('option').first()).toBeVisible({ timeout: 30_000 });
  await take(page, 'search');
});
