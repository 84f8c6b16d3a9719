import { expect, test } from 'vitest';
import { DiffReader, parseDiff } from './diff';

const patch = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -58,4 +58,5 @@ planRanges
 func planRanges(in []Span) {
-	out := make([]Bound, 0, len(in))
+	sorted := byStart(in)
+	out := make([]Bound, 0, len(sorted))
 
--- a comment of SQL
+++i
\\ No newline at end of file
`;

test('every line of a hunk has its numbers and its kind', () => {
  expect(parseDiff(patch).map((l) => [l.kind, l.before, l.after, l.text])).toEqual([
    ['hunk', 58, 58, 'planRanges'],
    ['same', 58, 58, 'func planRanges(in []Span) {'],
    ['del', 59, 0, '\tout := make([]Bound, 0, len(in))'],
    ['add', 0, 59, '\tsorted := byStart(in)'],
    ['add', 0, 60, '\tout := make([]Bound, 0, len(sorted))'],
    ['same', 60, 61, ''],
    ['del', 61, 0, '-- a comment of SQL'],
    ['add', 0, 62, '++i'],
    ['remark', 0, 0, ' No newline at end of file'],
  ]);
});

test('changed words are marked in the lines that belong together', () => {
  const [, , del, other, add] = parseDiff(patch);
  expect(del?.text.slice(...(del.mark ?? []))).toBe('in');
  expect(add?.text.slice(...(add.mark ?? []))).toBe('sorted');
  expect(other?.mark).toBeNull();
});

test('lines with nothing in common are not marked', () => {
  const lines = parseDiff('@@ -1 +1 @@\n-alpha beta gamma\n+x := 12\n');
  expect(lines.map((l) => l.mark)).toEqual([null, null, null]);
});

test('Windows line ends and an empty patch are read', () => {
  expect(parseDiff('@@ -1 +1 @@\r\n-a\r\n+b\r\n').map((l) => l.text)).toEqual(['', 'a', 'b']);
  expect(parseDiff('')).toEqual([]);
  expect(parseDiff('no diff at all\n+x')).toEqual([]);
});

test('a hundred thousand lines are read without a pause', () => {
  const started = performance.now();
  const long = '@@ -1,50000 +1,50000 @@\n' + '-a\n'.repeat(50_000) + '+b\n'.repeat(50_000);
  expect(parseDiff(long)).toHaveLength(100_001);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a diff that is read in parts is the diff', () => {
  const patch =
    '@@ -1,4 +1,4 @@ f\n one\n-let a = 1\n-let b = 2\n+let a = 3\n+let b = 4\n\\ No newline at end of file\n@@ -9 +9,2 @@\n+let z = 1\n four\r\n';
  for (const part of [1, 2, 3, 5]) {
    const reader = new DiffReader(patch);
    while (!reader.done) reader.read(part);
    expect(reader.lines).toEqual(parseDiff(patch));
  }
  expect(new DiffReader('').done).toBe(true);
});
