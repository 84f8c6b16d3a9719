import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { changesOf, isChosen, keyOf, linesOf, markOf } from './list';

const q = (over: Partial<beckon.Question>) =>
  ({
    id: 'a',
    kind: 'ask',
    settlement: 'answered',
    settled: 0,
    items: [],
    ...over,
  }) as beckon.Question;
const answer = (over: Partial<beckon.Answer> = {}) =>
  ({ items: [], verdict: '', text: '', by: 'user', ...over }) as beckon.Answer;

test('a decision has the sign of how it was made, and else of its kind', () => {
  expect(markOf(q({ answer: answer() }))).toBe('answered');
  expect(markOf(q({ kind: 'permission', answer: answer({ verdict: 'deny' }) }))).toBe('denied');
  expect(markOf(q({ kind: 'permission', answer: answer({ verdict: 'allow' }) }))).toBe(
    'permission',
  );
  expect(markOf(q({ kind: 'plan', answer: answer({ verdict: 'allow' }) }))).toBe('plan');
  expect(markOf(q({ answer: answer({ by: 'rule' }) }))).toBe('rule');
  expect(markOf(q({ settlement: 'expired' }))).toBe('clock');
  expect(markOf(q({ settlement: 'withdrawn', assumption: '64 rows' }))).toBe('assumed');
});

test('each day of decisions has one heading, above its latest', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  const rows = [
    q({ id: 'c', settled: at(22, 9) }),
    q({ id: 'b', settled: at(21, 23) }),
    q({ id: 'a', settled: at(21, 0) }),
  ];
  const lines = linesOf([], rows);
  expect(lines.map(keyOf)).toEqual([String(at(22, 0)), 'c', String(at(21, 0)), 'b', 'a']);
  expect(lines.flatMap((line) => ('q' in line ? line.at : []))).toEqual([0, 1, 2]);
});

test('what was decided while nobody was here stands first, in the order it came', () => {
  const gone = [q({ id: 'assumed', settled: 5 }), q({ id: 'answered', settled: 9 })];
  const lines = linesOf(gone, [q({ id: 'before', settled: 1 })]);
  expect(lines.map(keyOf)).toEqual([
    'assumed',
    'answered',
    String(new Date(1).setHours(0, 0, 0, 0)),
    'before',
  ]);
  expect(lines.flatMap((line) => ('q' in line ? line.at : []))).toEqual([0, 1, 2]);
});

test('options that were chosen are known by their labels, item by item', () => {
  const one = q({
    answer: answer({
      items: [
        { labels: ['A', 'B'], other: '' },
        { labels: [], other: 'x' },
      ],
    }),
  });
  expect(isChosen(one, 0, 'B')).toBe(true);
  expect(isChosen(one, 1, 'B')).toBe(false);
  expect(isChosen(q({ settlement: 'expired' }), 0, 'A')).toBe(false);
});

test('the changes of a decision are its own, and all where they are not known', () => {
  expect(changesOf({ known: true, id: '01H' })).toEqual({ since: 'decision-01H' });
  expect(changesOf({ known: false, id: '01H' })).toEqual({});
  expect(changesOf(undefined)).toEqual({});
});
