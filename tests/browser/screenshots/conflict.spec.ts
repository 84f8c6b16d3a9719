// A branch that conflicts with its base, before and while a person resolves it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

const who = '-c user.name=Test -c user.email=test@localhost';
const ranges = (first: string, order: string) => `package plan

// Span is the range of one during clause.
type Span struct{ Lo, Hi int }

// Bound is where a scan begins and ends.
type Bound struct{ Lo, Hi int }

// planRanges turns the ranges of a during clause into bounds.
func planRanges(in []Span) ([]Bound, error) {
${first}
		out = append(out, Bound{Lo: s.Lo, Hi: s.Hi})
	}
	return out, nil
}

// maxBounds is how many bounds a scan may have.
const maxBounds = 64

// longest returns the longest of the ranges.
func longest(in []Span) (most Span) {
	for _, s := range in {
		if s.Hi-s.Lo > most.Hi-most.Lo {
			most = s
		}
	}
	return most
}

// byStart orders ranges by where they begin.
${order}
`;
const mine = ranges(
  '\tsorted := slices.SortedFunc(slices.Values(in), byStart)\n\tout := make([]Bound, 0, len(sorted))\n\tfor i, s := range sorted {\n\t\tif i > 0 && s.Lo < sorted[i-1].Hi {\n\t\t\treturn nil, overlap(sorted[i-1], s)\n\t\t}',
  'func byStart(a, b Span) int {\n\treturn cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi))\n}',
);
const theirs = ranges('\tout := make([]Bound, 0, min(len(in), maxBounds))\n\tfor _, s := range in {', 'func byStart(a, b Span) int { return cmp.Compare(a.Lo, b.Lo) }');
const before = ranges('\tout := []Bound{}\n\tfor _, s := range in {', 'func byStart(a, b Span) int { return a.Lo - b.Lo }');

const agents = [
  `match: Reject\nwrite plan/ranges.go @code\nwrite plan/overlap.go "package plan\\n\\nfunc overlap(a, b Span) error { return nil }\\n"\nwrite README.md "# kestrel\\n\\nQueries over time ranges.\\nRanges that overlap are an error.\\n"\nrun git add -A\nrun git ${who} commit -qm "plan: reject ranges that overlap"\ntext Done.\n-- code --\n${mine.trimEnd()}`,
];

test.use({ repo: { name: 'kestrel', files: { ...kestrel.files, 'plan/ranges.go': before, 'README.md': '# kestrel\n\nQueries over time ranges.\n' } } });

test('a conflict', async ({ page, start }) => {
  const beckon = await start(...agents);
  const [task] = await beckon.openWith(page, {
    title: 'Reject overlapping time ranges in the query parser', priority: 3, labels: ['parser', 'correctness'],
    brief: 'Queries such as `during 9-11, 10-12` parse today and return doubled counts. Overlaps should be caught before planning.',
  });
  await expect(page.getByRole('article', { name: /Review/ })).toBeVisible({ timeout: 20_000 });
  writeFileSync(join(beckon.repo.dir, 'plan/ranges.go'), theirs);
  writeFileSync(join(beckon.repo.dir, 'README.md'), '# kestrel\n\nQueries over time ranges.\nA scan has at most 64 bounds.\n');
  beckon.repo.git('commit', '-qam', 'plan: bound the bounds', '--author', 'Mira <mira@example.com>');
  await beckon.open(page, `#/task/${task!.key}/changes`);
  await expect(page.getByRole('region', { name: /^Conflicts in 2 files/ })).toBeVisible();
  await page.getByRole('treeitem', { name: /ranges\.go/ }).click();
  await page.getByRole('button', { name: 'Let Claude resolve' }).focus();
  await take(page, 'task-conflict');
  await page.setViewportSize({ width: 960, height: 640 });
  await take(page, 'min-960x640-task-conflict');
  await page.setViewportSize({ width: 1440, height: 900 });
  await beckon.call(page, 'ResolveByHand', task!.id);
  await page.reload();
  await expect(page.getByRole('region', { name: /^You are resolving/ })).toBeVisible();
  await take(page, 'task-conflict-by-hand');
});
