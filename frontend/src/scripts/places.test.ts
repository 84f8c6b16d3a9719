import { expect, test } from 'vitest';
import { piecesOf } from './places';

const found = (text: string) =>
  piecesOf(text, '/work/kes-1').flatMap((one) =>
    one.at ? [`${one.text} > ${one.at.path} ${one.at.line}`] : [],
  );

test('the output of a check names lines in many ways, and all of it stays', () => {
  const text = [
    '    ranges_test.go:44: got 2 bounds, want 1',
    'src/plan/one.ts(12,3): error TS2322',
    '\tat parse (/work/kes-1/src/a.js:7:15)',
    '  File "tools/run.py", line 9, in main',
    './x/y-z.rs:1:2 and C:\\x\\y.c:3',
  ].join('\n');
  expect(found(text)).toEqual([
    'ranges_test.go:44 > ranges_test.go 44',
    'src/plan/one.ts(12,3) > src/plan/one.ts 12',
    '/work/kes-1/src/a.js:7:15 > src/a.js 7',
    'File "tools/run.py", line 9 > tools/run.py 9',
    './x/y-z.rs:1:2 > x/y-z.rs 1',
  ]);
  expect(
    piecesOf(text, '/work/kes-1')
      .map((one) => one.text)
      .join(''),
  ).toBe(text);
});

test('what is no line of a file in the worktree is text', () => {
  expect(
    found('http://localhost:5173/ 12:30:01 a:1 127.0.0.1:80 https://example.com:443/x v1.2:3'),
  ).toEqual([]);
  expect(found('/etc/passwd.txt:1 ../up.go:2 a/../../up.go:3 /work/kes-10/a.go:4 x.go:0')).toEqual(
    [],
  );
});

test('an output made to take long does not', () => {
  const began = performance.now();
  for (const text of [
    'a.'.repeat(100_000),
    'a/'.repeat(100_000),
    'a.b:'.repeat(50_000),
    '('.repeat(200_000),
    'x.go:1\n'.repeat(28_000),
    'File "'.repeat(30_000),
  ])
    expect(
      piecesOf(text, '')
        .map((one) => one.text)
        .join(''),
    ).toBe(text);
  expect(piecesOf('x.go:1\n'.repeat(28_000), '').filter((one) => one.at).length).toBe(1000);
  expect(performance.now() - began).toBeLessThan(3000);
});
