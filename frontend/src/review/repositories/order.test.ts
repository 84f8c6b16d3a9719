import { expect, test } from 'vitest';
import type { beckon } from '../../bridge';
import { baseOf, inTree, mergeable, ordered, sumOf, worstOf } from './order';

const part = (name: string, more: Partial<beckon.TaskPart> = {}) =>
  ({
    id: `t/${name}`,
    name,
    base: 'main',
    state: 'clean',
    files: 1,
    commits: 2,
    ...more,
  }) as beckon.TaskPart;
const names = (parts: beckon.TaskPart[]) => parts.map(({ name }) => name);

test('what has nothing to merge is no part of the plan, and comes last in the tree', () => {
  const parts = [
    part('none', { state: 'none' }),
    part('a'),
    part('same', { state: 'unchanged' }),
    part('b', { state: 'missing' }),
    part('done', { state: 'merged' }),
    part('c', { state: 'conflict' }),
  ];
  expect(names(mergeable(parts))).toEqual(['a', 'b', 'c']);
  expect(names(inTree(parts))).toEqual(['a', 'b', 'done', 'c', 'none', 'same']);
});

test('repositories are merged in the order in which they were put; a new one keeps its place', () => {
  const parts = [part('a'), part('b'), part('c')];
  expect(names(ordered(parts, []))).toEqual(['a', 'b', 'c']);
  expect(names(ordered(parts, ['t/c', 't/a', 't/b']))).toEqual(['c', 'a', 'b']);
  expect(names(ordered(parts, ['t/c', 't/a']))).toEqual(['c', 'a', 'b']);
  expect(names(ordered(parts, ['t/gone', 't/b', 't/a']))).toEqual(['b', 'c', 'a']);
});

test('the bar says the worst of all', () => {
  const [clean, conflict, refused, gone] = (
    ['clean', 'conflict', 'refused', 'missing'] as const
  ).map((state) => part(state, { state })) as [
    beckon.TaskPart,
    beckon.TaskPart,
    beckon.TaskPart,
    beckon.TaskPart,
  ];
  expect(worstOf([clean, refused, conflict, gone])).toEqual({ state: 'missing', parts: [gone] });
  expect(worstOf([clean, refused, conflict])).toEqual({ state: 'conflict', parts: [conflict] });
  expect(worstOf([clean, refused])).toEqual({ state: 'refused', parts: [refused] });
  expect(worstOf([clean]).state).toBe('clean');
  const unread = { ...clean, failed: 'broken' };
  expect(worstOf([clean, unread]), 'who cannot read it does not merge it').toEqual({
    state: 'refused',
    parts: [unread],
  });
  expect(baseOf([part('a'), part('b')])).toBe('main');
  expect(baseOf([part('a'), part('b', { base: 'next' })])).toBeUndefined();
  expect(sumOf([part('a'), part('b')])).toEqual({ commits: 4, files: 2 });
});
