import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { sayOnce } from './once';
import type { Row } from './row';

const entry = (more: object) => ({ text: '', notice: '', ...more }) as unknown as beckon.Entry;
const row = (kind: 'text' | 'notice' | 'turn', more: object): Row => ({
  kind,
  id: JSON.stringify([kind, more]),
  depth: 0,
  entry: entry(more),
});
const why = 'API Error: 529 Overloaded';
const failed = row('turn', { turn: { failed: true, reason: why } });
const said = (rows: Row[]) =>
  JSON.stringify(rows.map((one) => 'entry' in one && one.entry)).split(why).length - 1;

test('the reason of a failed turn is said once, and not at all where a neighbour says it', () => {
  const rows = [
    row('text', { text: 'I look around.' }),
    row('text', { text: why }),
    row('notice', { notice: 'api_error', text: why }),
    failed,
  ];
  expect([said(rows), said(sayOnce(rows, '')), said(sayOnce(rows, why))]).toEqual([3, 1, 0]);
  expect(sayOnce(rows, why).map((one) => one.kind)).toEqual(['text', 'turn']);
});

test('what an agent said before it failed stays', () => {
  const rows = [row('text', { text: why }), row('text', { text: 'Then I tried again.' }), failed];
  expect(sayOnce(rows, '')).toHaveLength(3);
  expect(
    sayOnce([row('text', { text: why }), row('turn', { turn: { failed: false, reason: '' } })], ''),
  ).toHaveLength(2);
});
