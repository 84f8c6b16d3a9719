import { expect, test } from 'vitest';
import { lineOf, partsOf, waitOf } from './glance';

test('files are bars, as wide as their changes, and the smallest is seen', () => {
  const [large, small] = partsOf([
    { path: 'plan/ranges.go', added: 150, removed: 50 },
    { path: 'a.txt', added: 1, removed: 0 },
  ]);
  expect(large).toMatchObject({ name: 'ranges.go', folder: 'plan', in: 74.25, out: 24.75 });
  expect(small).toMatchObject({ name: 'a.txt', folder: '', in: 1, out: 0 });
});

test('tokens are a line once there are two spells', () => {
  expect(lineOf([{ tokens: 5 }])).toBe('');
  expect(lineOf([{ tokens: 0 }, { tokens: 10 }, { tokens: 5 }])).toBe(
    'M0.0 19.0 L50.0 1.0 L100.0 10.0',
  );
});

test('waits are summed up, the open one until now', () => {
  const q = (asked: number, settled: number, settlement: 'open' | 'answered' | 'expired') => ({
    asked,
    settled,
    settlement,
  });
  expect(waitOf([q(0, 10, 'answered'), q(20, 50, 'expired'), q(60, 0, 'open')], 100)).toEqual({
    questions: 3,
    assumed: 1,
    ms: 80,
    open: true,
  });
});
