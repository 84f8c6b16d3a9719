import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { sinceSleep } from './slept';

test('after a sleep it is said who went on, who did not, and what waited', () => {
  const runs: Record<string, Partial<beckon.Run>> = {
    works: { phase: 'working', outcome: '' },
    done: { phase: 'ended', outcome: 'succeeded' },
    lost: { phase: 'ended', outcome: 'lost' },
  };
  const slept = { from: 1, to: 2, runs: ['works', 'done', 'lost', 'forgotten'], questions: ['q'] };
  expect(sinceSleep(slept, (id) => runs[id] as beckon.Run | undefined)).toEqual({
    went: 3,
    stopped: 1,
    waited: 1,
  });
});
