import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { editedSince } from './edited';

function edit(target: string, at: number, more: object = {}): beckon.Entry {
  return {
    at,
    tool: { verb: 'editing', target, done: true, failed: false, ...more },
  } as beckon.Entry;
}

test('files count once, and only those that were edited since', () => {
  const entries = [
    edit('old.go', 1),
    edit('a.go', 2),
    edit('a.go', 3),
    edit('b.go', 3),
    edit('c.go', 3, { failed: true }),
    edit('d.go', 3, { done: false }),
    edit('read.go', 3, { verb: 'reading' }),
    { at: 4 } as beckon.Entry,
  ];
  expect(editedSince(entries, 2)).toBe(2);
});
