import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { sidesOf, Taking } from './taking.svelte';

const file = (path: string, hunks: number, more: Partial<beckon.Conflict> = {}) =>
  ({
    path,
    kind: 'content',
    hunks: Array.from({ length: hunks }, () => ({})),
    token: `token of ${path}`,
    ...more,
  }) as unknown as beckon.Conflict;

test('a file is whole once each of its places has a side', () => {
  const taking = new Taking();
  const [two, gone, odd] = [
    file('two.txt', 2),
    file('gone.txt', 0, { kind: 'taskDeleted' }),
    file('odd', 0, { kind: 'mixed', token: '' }),
  ];
  const list = [two, gone, odd];
  taking.take(two, 0, 'both');
  expect(taking.whole(list)).toEqual([]);
  taking.take(two, 1, 'task');
  taking.take(gone, 0, 'base');
  expect(taking.counted(list)).toEqual({ taken: 3, all: 4 });
  expect(taking.whole(list)).toEqual([
    { path: 'two.txt', token: 'token of two.txt', sides: ['both', 'task'] },
    { path: 'gone.txt', token: 'token of gone.txt', sides: ['base'] },
  ]);
  taking.take(two, 1, 'task');
  expect(taking.side(two, 1), 'pressed again it is let go').toBeUndefined();
  expect(sidesOf(odd)).toEqual([]);
  expect(sidesOf(gone)).toEqual(['base', 'task']);
});

test('what was taken of another conflict is none of this one', () => {
  const taking = new Taking();
  taking.take(file('a.txt', 1), 0, 'task');
  const now = file('a.txt', 1, { token: 'another' });
  expect(taking.side(now, 0)).toBeUndefined();
  expect(taking.counted([now])).toEqual({ taken: 0, all: 1 });
});
