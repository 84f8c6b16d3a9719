import { expect, test } from 'vitest';
import { claudeAdvice, claudeState } from './claude';

const claudeOldest = '2.0.0';

test('a claude that cannot be used is named with what to do', () => {
  const old = { claudeVersion: '1.0.90', claudeTrouble: 'old', claudeOldest } as const;
  expect(claudeState(old)).toContain('1.0.90');
  expect(claudeState(old)).toContain('2.0.0');
  const all = [
    old,
    ...(['missing', 'silent'] as const).map((claudeTrouble) => ({
      claudeVersion: '',
      claudeTrouble,
      claudeOldest,
    })),
  ];
  expect(new Set(all.map(claudeState)).size).toBe(3);
  expect(new Set(all.map(claudeAdvice)).size).toBe(3);
});

test('one that can be used has nothing but its version', () => {
  const fine = { claudeVersion: '2.1.197', claudeTrouble: '', claudeOldest } as const;
  expect(claudeState(fine)).toContain('2.1.197');
  expect(claudeAdvice(fine)).toBe('');
});
