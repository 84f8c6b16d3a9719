import { expect, test } from 'vitest';
import { besides } from './beside';

test('a diff stands in two columns, with what has no other side beside nothing', () => {
  const rows = besides(
    '@@ -1,4 +1,5 @@ func\n same\n-red\n-rose\n+blue\n+sky\n+sea\n\\ No newline at end of file\n last\n',
  );
  const words = rows.map((row) =>
    row.kind === 'hunk' ? `@@ ${row.text}` : [row.left?.text, row.right?.text],
  );
  expect(words).toEqual([
    '@@ func',
    ['same', 'same'],
    ['red', 'blue'],
    ['rose', 'sky'],
    [undefined, 'sea'],
    ['last', 'last'],
  ]);
});
