import { describe, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { folded, leads, pairOf } from './pairs';

function two(first: beckon.Status, second: beckon.Status, back = 'a') {
  const one = (id: string, status: beckon.Status, number: number, other: string) =>
    ({ id, status, attempt: { number, with: other } }) as beckon.Task;
  const a = one('a', first, 1, 'b');
  const b = one('b', second, 2, back);
  return { a, b, tasks: new Map([a, b].map((task) => [task.id, task])) };
}

describe('two attempts', () => {
  test('are on one card, in the column of the one that is least far', () => {
    for (const [first, second, lead] of [
      ['running', 'running', 'a'],
      ['review', 'running', 'b'],
      ['running', 'queued', 'a'],
      ['review', 'review', 'a'],
      ['review', 'backlog', 'b'],
    ] as const) {
      const { a, b, tasks } = two(first, second);
      const pair = pairOf(b, tasks)!;
      expect(pair.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(leads(pair).id).toBe(lead);
      expect(folded([a, b], tasks).map(({ id }) => id)).toEqual([lead]);
    }
  });

  test('are shown where a filter finds either of them, once', () => {
    const { a, b, tasks } = two('review', 'running');
    const other = { id: 'c', status: 'backlog' } as beckon.Task;
    expect(folded([a, other], tasks).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(folded([other, b], tasks).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(folded([a, b], tasks).map(({ id }) => id)).toEqual(['b']);
  });

  test('are two cards once one is archived, over, gone or one of another two', () => {
    for (const { a, b, tasks } of [
      two('review', 'archived'),
      two('done', 'review'),
      two('review', 'review', 'c'),
    ]) {
      expect(pairOf(a, tasks)).toBeUndefined();
      expect(folded([a, b], tasks)).toHaveLength(2);
    }
    const { a } = two('review', 'review');
    expect(pairOf(a, new Map([['a', a]]))).toBeUndefined();
    expect(pairOf({ ...a, attempt: undefined } as unknown as beckon.Task, new Map())).toBe(
      undefined,
    );
  });
});
