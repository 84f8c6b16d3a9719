// A project's commands: its settings, what they print, and what a card says of them.
import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

test('commands of a worktree', async ({ page, start }) => {
  const beckon = await start('write plan/one.go "package plan\\n"\ntext Done.');
  const [task] = await beckon.openWith(page, { title: 'Reject overlapping time ranges in the query parser' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({ timeout: 20_000 });
  const frame = await beckon.call<{ events: { project?: Record<string, unknown> }[] }>(page, 'Attach', 'pictures');
  const project = frame.events.flatMap((event) => event.project ?? [])[0]!;
  const check = 'go test ./... 2>&1 || true\nprintf "\\033[31m--- FAIL: TestPlanRanges (0.00s)\\033[0m\\n    ranges_test.go:44: got 2 bounds, want 1\\nFAIL\\tkestrel/plan\\t0.012s\\n"\nexit 1';
  const scripts = { copied: ['.env', 'config/local.json'], setup: 'go mod download', check, dev: 'echo "  Local: http://localhost:$BECKON_PORT/"\nsleep 600' };
  await beckon.call(page, 'EditProject', { ...project, scripts });
  await beckon.call(page, 'RunScript', task!.id, 'dev');
  await beckon.call(page, 'RunScript', task!.id, 'check');
  await beckon.open(page, '#/task/SAM-1/commands');
  await expect(page.getByText('failed, exit code 1')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('link', { name: /^Open localhost/ })).toBeVisible();
  await take(page, 'task-commands');
  await beckon.open(page);
  await expect(page.getByText('Check failed')).toBeVisible();
  await take(page, 'board-check');
  await beckon.open(page, '#/settings/SAM');
  await page.getByRole('textbox', { name: 'Dev command' }).scrollIntoViewIfNeeded();
  await take(page, 'settings-worktrees');
});
