import { expect, test } from 'vitest';
import { within } from './paths';

test('a file is named from the folder that it is in', () => {
  expect(
    within('/data/worktrees/KES-1/plan/ranges.go', ['/data/worktrees/KES-1', '/src/kestrel']),
  ).toBe('plan/ranges.go');
  expect(within('/src/kestrel/go.mod', ['/data/worktrees/KES-1', '/src/kestrel/'])).toBe('go.mod');
  expect(within('C:\\src\\kestrel\\go.mod', ['C:\\src\\kestrel'])).toBe('go.mod');
});

test('a file elsewhere keeps its whole path', () => {
  expect(within('/src/kestrel-old/go.mod', ['/src/kestrel', ''])).toBe('/src/kestrel-old/go.mod');
  expect(within('go.mod', ['/src/kestrel'])).toBe('go.mod');
});
