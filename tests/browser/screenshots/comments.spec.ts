// Comments among the changes of a task, in each of their states, with what was viewed and
// how its pull request is.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { kestrel } from './stage';
import { take } from './take';

// Made by the test: what only lists the tests reads this file, too.
const dir = join(tmpdir(), `beckon-pictures-${process.pid}`);
const bin = join(dir, 'bin');
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const url = 'https://github.com/ada/kestrel/pull/412';
const request = JSON.stringify({ number: 412, url, state: 'OPEN', isDraft: false, statusCheckRollup: [...Array.from({ length: 3 }, () => ({ state: 'SUCCESS' })), { state: 'PENDING' }] });
const programs = {
  gh: `#!/bin/sh\ncase "$2" in\nlist) echo '[]' ;;\ncreate) echo ${url} ;;\nview) echo '${request}' ;;\n*) exit 1 ;;\nesac\n`,
  fakessh: `#!/bin/sh\nexec git receive-pack "${dir}/bare.git"\n`,
};

const ranges = (plan: string, more: string) => `package plan

// Span is the range of one during clause.
type Span struct{ Start, End int }

// Bound is where a scan begins and ends.
type Bound struct{ Lo, Hi int }

// planRanges turns the ranges of a during clause into bounds.
func planRanges(in []Span) ([]Bound, error) {
${plan}
		out = append(out, Bound{Lo: s.Start, Hi: s.End})
	}
	return out, nil
}

// maxBounds is how many bounds a scan may have.
const maxBounds = 64

// longest returns the longest of the ranges.
func longest(in []Span) (most Span) {
	for _, s := range in {
		if s.End-s.Start > most.End-most.Start {
			most = s
		}
	}
	return most
}
${more}`;
const tests = (more: string) => `package plan

import "testing"

func TestPlanRanges(t *testing.T) {
	for in, want := range map[string][]Bound{
		"9-10":         {{9, 10}},
		"9-10, 10-11":  {{9, 10}, {10, 11}},
${more}	} {
		check(t, in, want)
	}
}
`;
const before = {
  'plan/ranges.go': ranges('\tout := make([]Bound, 0, len(in))\n\tfor _, s := range in {', ''),
  'plan/ranges_test.go': tests(''),
  'docs/query.md': '# Queries\n\n`during 9-11, 10-12` counts both ranges.\n',
};
const after = {
  'plan/ranges.go': ranges(
    '\tsorted := slices.SortedFunc(slices.Values(in), byStart)\n\tout := make([]Bound, 0, len(sorted))\n\tfor i, s := range sorted {\n\t\tif i > 0 && s.Start < sorted[i-1].End {\n\t\t\treturn nil, ErrOverlap{At: s.Start}\n\t\t}',
    '\n// byStart orders spans by start, then by position in the query.\nfunc byStart(a, b Span) int {\n\treturn cmp.Compare(a.Start, b.Start)\n}\n',
  ),
  'plan/ranges_test.go': tests('\t\t"10-12, 9-10":  {{9, 10}, {10, 12}},\n\t\t"9-12, 12-15":  {{9, 12}, {12, 15}},\n'),
  'plan/overlap.go': 'package plan\n\nimport "fmt"\n\n// ErrOverlap says where two ranges overlap.\ntype ErrOverlap struct{ At int }\n\nfunc (e ErrOverlap) Error() string { return fmt.Sprintf("ranges overlap at %d", e.At) }\n',
  'docs/query.md': '# Queries\n\n`during 9-11, 10-12` is refused: the ranges overlap. The message says where.\nAdjacent ranges stay valid.\n',
};

const code = Object.entries(after);
const agents = [
  `match: Reject\n${code.map(([path], i) => `write ${path} @file${i}`).join('\n')}\ntext Done.\n${code.map(([, text], i) => `-- file${i} --\n${text}`).join('')}`,
  'match: I reviewed\nresume: yes\ntext @said\n-- said --\nDone.\n\n**C1**: Equal starts keep the order of the query.',
];

test.use({ repo: { name: 'kestrel', files: { ...kestrel.files, ...before } }, env: { PATH: `${bin}:${process.env.PATH}` } });

test('comments on changes', async ({ page, start }) => {
  mkdirSync(bin, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const beckon = await start(...agents);
  beckon.repo.git('init', '-q', '--bare', join(dir, 'bare.git'));
  beckon.repo.git('remote', 'add', 'origin', 'git@github.com:ada/kestrel.git');
  beckon.repo.git('config', 'core.sshCommand', 'fakessh');
  const [task] = await beckon.openWith(page, { title: 'Reject overlapping time ranges in the query parser' });
  await expect(page.getByRole('article', { name: /Review/ })).toBeVisible({ timeout: 20_000 });
  const comment = (path: string, text: string, quote: string) => {
    const first = after[path as keyof typeof after].split('\n').indexOf(quote) + 1;
    return beckon.call(page, 'SaveComment', { id: '', taskId: task!.id, text, lines: { path, side: 'after', first, last: first, quote, content: '' } });
  };
  await comment('plan/ranges.go', 'Say why the position breaks the tie.', '// byStart orders spans by start, then by position in the query.');
  await beckon.call(page, 'SendComments', task!.id);
  await beckon.open(page, `#/task/${task!.key}/changes`);
  await expect(page.getByRole('group', { name: /answered/ })).toBeAttached({ timeout: 20_000 });
  await beckon.call(page, 'OpenPull', task!.id, { title: task!.title, body: '', draft: false });
  await beckon.call(page, 'RefreshPull', task!.id);
  await comment('plan/ranges_test.go', 'Add a case where three ranges touch.', '\t\t"9-12, 12-15":  {{9, 12}, {12, 15}},');
  const { files } = await beckon.call<{ files: { path: string; content: string }[] }>(page, 'Review', task!.id, { since: '', ignoreSpace: false, start: false });
  for (const path of ['plan/overlap.go', 'docs/query.md']) await beckon.call(page, 'MarkViewed', task!.id, path, files.find((file) => file.path === path)!.content);
  beckon.repo.git('commit', '-q', '--allow-empty', '-m', 'docs: say what main has by now');
  await page.reload();
  await expect(page.getByText('2 of 4 viewed')).toBeVisible();
  await expect(page.getByRole('button', { name: /#412 open/ })).toContainText('1 of 4 checks');
  await page.getByRole('treeitem', { name: /ranges\.go/ }).click();
  await page.locator('.dl', { hasText: 'return nil, ErrOverlap' }).locator('.pick').last().click();
  await page.keyboard.type('A long range can swallow several short ones. Compare with the furthest end so far.');
  await expect(page.getByRole('button', { name: 'Send 2 comments', exact: true })).toBeVisible();
  await take(page, 'task-review-unified');
  await page.getByRole('radio', { name: 'Split' }).click();
  await take(page, 'task-review');
  await page.setViewportSize({ width: 960, height: 640 });
  await take(page, 'min-960x640-task-review');
});
