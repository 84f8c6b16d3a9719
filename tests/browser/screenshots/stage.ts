// The demo's project in the middle of its work: what the pictures show.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Beckon, Draft, Task } from '../support/beckon';
import { root } from '../support/places';
import type { Sample } from '../support/repo';

const demo = `${root}backend/demo`;

/** Agents beside the demo's own, for cards that are past their questions. */
const more = [
  `match: (?i)planner stages
text I look where a trace gets its names.
read plan/ranges.go
run grep -rn stage . || true
edit plan/ranges.go "// planRanges turns" "// planRanges is the stage \\"ranges\\". It turns"
text Each stage is named where it is planned now.`,
  `match: (?i)NDJSON
text The encoder comes first, then the handler.
read README.md
write plan/ndjson.go @code
edit plan/merge.go "Merge returns" "Merge yields"
sleep 600s
-- code --
package plan

import (
	"encoding/json"
	"io"
)

// WriteNDJSON writes one row a line.
func WriteNDJSON(w io.Writer, rows []Row) error {
	enc := json.NewEncoder(w)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}`,
  `match: (?i)migrat
text The release notes need the old format once more.
permit Bash {"command":"go run ./cmd/migrate -from 1.x -to 2.0 samples/","description":"Rewrites the samples in the new format"}`,
  `match: (?i)explain
write plan/explain.go "package plan\\n\\n// Explain says what a plan does, as JSON.\\nfunc Explain(b []Bound) ([]byte, error) { return json.Marshal(b) }\\n"
text Done.`,
];

const tasks: Draft[] = [
  {
    title: 'Reject overlapping time ranges in the query parser', priority: 3, labels: ['parser', 'correctness'], waitMs: 180_000,
    brief: 'Queries such as `during 9-11, 10-12` parse today and return doubled counts. Overlaps should be caught before planning.\n\n- Report both positions in the error\n- Keep adjacent ranges valid (`9-10, 10-11`)\n- No change to the wire format',
  },
  { title: 'Migrate the samples to 2.0', priority: 2, labels: ['samples'], policy: 'wait' },
  { title: 'Stream results as NDJSON', priority: 2, labels: ['api'], brief: 'One row a line, and the first one before the last shard is read.' },
  {
    title: 'Bound memory in the merge iterator', priority: 2, labels: ['perf'],
    brief: 'The merge keeps every row of every shard. It should keep one row a shard.',
  },
  { title: 'Explain a plan as JSON', priority: 1, labels: ['api'] },
  { title: 'Name the planner stages in traces', labels: ['tracing'], brief: 'A trace shows `stage 3`. It should say which.' },
];

const later: Draft[] = [
  { title: 'Return partial results when a shard times out', status: 'backlog', priority: 3, labels: ['api'] },
  { title: 'Fuzz the duration literal parser', status: 'backlog', priority: 2, labels: ['tests'] },
  { title: 'Write a quick start for 2.0', status: 'backlog', priority: 1, labels: ['docs'], brief: 'Five minutes from nothing to a first query. Ask what to assume of the reader.' },
  { title: 'Reuse the scanner’s buffers', status: 'backlog', labels: ['perf'] },
];

/** The demo's agents and some more. */
export const agents = [...more, ...readdirSync(`${demo}/agents`).sort().map((name) => readFileSync(`${demo}/agents/${name}`, 'utf8'))];

/** The demo's repository. */
export const kestrel: Sample = { name: 'kestrel', files: files(readFileSync(`${demo}/kestrel.txtar`, 'utf8')) };

/** The files of a txtar archive. */
function files(archive: string): Record<string, string> {
  const parts = archive.split(/^-- (.+) --\n/m).slice(1);
  return Object.fromEntries(Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!]));
}

/** Plays the work up to the moment of the pictures; returns the task that asks and the one to review. */
export async function play(beckon: Beckon, page: Page): Promise<{ asks: Task; review: Task }> {
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 6, language: '', theme: '', singleKeys: true });
  const project = await beckon.call<{ id: string }>(page, 'AddProject', { dir: beckon.repo.dir, name: 'kestrel', key: 'KES', base: 'main', trusted: true });
  const made: Task[] = [];
  for (const draft of [...tasks, ...later]) made.push(await beckon.addTask(page, project.id, draft));
  const [asks, , , merge, , traces] = made;

  await inReview(page, 'KES-6');
  await beckon.call(page, 'Merge', traces!.id);
  await expect(page.getByRole('article', { name: /KES-4, needs you/ })).toBeVisible({ timeout: 30_000 });
  const [shape] = await beckon.questions(page, merge!);
  const items = [{ labels: ['iter.Seq[Row]'], other: '' }, { labels: ['Allocations', 'Latency of the first row'], other: '' }];
  await beckon.call(page, 'AnswerQuestion', shape!.id, { items, verdict: '', text: '', by: '', at: 0 });
  await inReview(page, 'KES-4');
  await inReview(page, 'KES-5');
  await expect(page.getByRole('article', { name: /KES-1, needs you/ })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('article', { name: /KES-2, needs you/ })).toBeVisible();
  await expect(page.getByRole('article', { name: /KES-3, Running/ })).toContainText('Editing');
  await beckon.call(page, 'SaveSettings', { slots: 3, language: '', theme: '', singleKeys: true });
  await beckon.call(page, 'MoveTask', made[6]!.id, 'queued', 0);
  await beckon.call(page, 'MoveTask', made[7]!.id, 'queued', 0);
  return { asks: asks!, review: merge! };
}

async function inReview(page: Page, key: string) {
  await expect(page.getByRole('article', { name: new RegExp(`${key}, Review`) })).toBeVisible({ timeout: 30_000 });
}
