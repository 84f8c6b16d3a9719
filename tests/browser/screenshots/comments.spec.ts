// Comments among the changes of a task, in each of their states.
import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

const agents = [
  'match: Explain\nwrite plan/explain.go @code\nwrite plan/ndjson.go "package plan\\n\\n// NDJSON is one row a line.\\nconst NDJSON = true\\n"\ntext Done.\n-- code --\npackage plan\n\nimport "encoding/json"\n\n// Explain says what a plan does.\nfunc Explain(b []Bound) ([]byte, error) {\n\tif len(b) == 0 {\n\t\treturn nil, nil\n\t}\n\treturn json.Marshal(b)\n}',
  'match: I reviewed\nresume: yes\ntext @said\n-- said --\nDone.\n\n**C1**: Said now: the JSON is that of the HTTP interface, and an empty plan gives `null`.',
];

test.use({ repo: kestrel });

test('comments on changes', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [task] = await beckon.openWith(page, { title: 'Explain a plan as JSON' });
  await expect(page.getByRole('article', { name: /Review/ })).toBeVisible({ timeout: 20_000 });
  const comment = (path: string, line: number, quote: string, text: string) =>
    beckon.call(page, 'SaveComment', { id: '', taskId: task!.id, text, lines: { path, side: 'after', first: line, last: line, quote, content: '' } });
  await comment('plan/explain.go', 5, '// Explain says what a plan does.', 'Say which JSON this is.');
  await comment('plan/ndjson.go', 4, 'const NDJSON = true', 'Who reads this?');
  await beckon.call(page, 'SendComments', task!.id);
  await beckon.open(page, `#/task/${task!.key}/changes`);
  await expect(page.getByRole('group', { name: /line 5, answered/ })).toBeVisible({ timeout: 20_000 });
  await comment('plan/ndjson.go', 3, '// NDJSON is one row a line.', 'Name the rows: a row is a bound.');
  await expect(page.getByRole('group', { name: /line 3, draft/ })).toBeAttached();
  await page.locator('.dl', { hasText: 'len(b) == 0' }).locator('.pick').nth(1).click();
  await page.keyboard.type('An empty plan is a mistake of the caller. Return an error that says so.');
  await expect(page.getByRole('button', { name: 'Send 2 comments', exact: true })).toBeVisible();
  await take(page, 'task-review-unified');
  await page.getByRole('radio', { name: 'Split' }).click();
  await take(page, 'task-review');
  await page.setViewportSize({ width: 960, height: 640 });
  await take(page, 'min-960x640-task-review');
});
