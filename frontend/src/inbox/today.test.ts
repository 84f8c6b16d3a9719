import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { medianOf, ofDay } from './today.svelte';

const question = (id: string, settled: number, with_: Partial<beckon.Question> = {}) =>
  ({
    id,
    asked: settled - 10,
    settled,
    settlement: 'answered',
    answer: { items: [], verdict: '', text: '', by: 'user', at: settled },
    ...with_,
  }) as beckon.Question;

test('the day shows each answer once, as it is known last, the latest first', () => {
  const late = question('b', 50, {
    settlement: 'expired',
    answer: undefined,
    assumption: 'kept Span',
  });
  const all = ofDay(
    [
      question('a', 100),
      late,
      question('old', 5),
      question('a', 200),
      { ...question('c', 0), settlement: 'open' } as beckon.Question,
    ],
    40,
  );
  expect(all.map((q) => `${q.id} ${q.settled}`)).toEqual(['a 200', 'b 50']);
});

test('what nobody waits for any more was not answered', () => {
  expect(ofDay([question('w', 90, { settlement: 'withdrawn', answer: undefined })], 0)).toEqual([]);
});

test('one long wait does not move the median', () => {
  expect([medianOf([]), medianOf([4]), medianOf([90, 2, 4]), medianOf([2, 4])]).toEqual([
    undefined,
    4,
    4,
    3,
  ]);
});
