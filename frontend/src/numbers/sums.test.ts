import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { growth, groupsBy, median, pace, sum, valueOf } from './sums';

function fact(of: Partial<beckon.NumbersFact>): beckon.NumbersFact {
  return {
    day: '2026-11-28',
    taskId: 't',
    projectId: 'p',
    agent: '',
    model: 'opus',
    executor: '',
    costUsd: 0,
    tokens: 0,
    unpriced: 0,
    runs: 0,
    workedMs: 0,
    questions: 0,
    answered: 0,
    assumed: 0,
    waitedMs: 0,
    answers: [],
    merged: 0,
    closed: 0,
    discarded: 0,
    ...of,
  };
}

test('facts add up, and what answers took is kept one by one', () => {
  const facts = [
    fact({ costUsd: 1, tokens: 10, answers: [3], waitedMs: 3 }),
    fact({ costUsd: 2, answers: [1, 2], waitedMs: 3 }),
  ];
  const all = sum(facts);
  expect(all).toMatchObject({ costUsd: 3, tokens: 10, waitedMs: 6, answers: [3, 1, 2] });
  expect(facts[0]!.answers).toEqual([3]);
  expect(valueOf('waited', all)).toBe(6);
  expect(sum([])).toMatchObject({ costUsd: 0, answers: [] });
});

test('groups stand in the order of the measure', () => {
  const facts = [
    fact({ model: 'opus', costUsd: 1, merged: 3 }),
    fact({ model: 'haiku', costUsd: 4 }),
    fact({ model: 'opus', costUsd: 2 }),
  ];
  const by = (measure: 'cost' | 'merged') =>
    groupsBy(facts, measure, (one) => one.model).map(({ id }) => id);
  expect(by('cost')).toEqual(['haiku', 'opus']);
  expect(by('merged')).toEqual(['opus', 'haiku']);
});

test('the middle, the growth and the pace are said only where there are some', () => {
  expect([median([]), median([5]), median([9, 1, 2]), median([1, 2, 3, 10])]).toEqual([
    undefined,
    5,
    2,
    2.5,
  ]);
  expect([growth(112, 100), growth(80, 100), growth(5, 0)]).toEqual([12, -20, undefined]);
  const at = (hours: number) => new Date(2026, 10, 28, hours);
  expect([pace(6, at(5)), pace(6, at(12)), pace(0, at(12))]).toEqual([undefined, 12, undefined]);
});
