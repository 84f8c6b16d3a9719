import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import '../i18n/screens';
import { discardedWords, keptWords } from './lossWords';

const loss = (more: Partial<beckon.Loss> = {}): beckon.Loss =>
  ({ uncommitted: [], commits: 2, keptUntil: 1, branchGone: false, ...more }) as beckon.Loss;

test('a branch that is gone is not said to be kept', () => {
  const gone = loss({ branchGone: true });
  expect(keptWords(gone, '1 May')).toContain('The work is kept until 1 May');
  expect(discardedWords('KES-1', gone, '1 May')).toBe(
    'Discarded KES-1. Its work is kept until 1 May',
  );
  expect(keptWords(loss(), '1 May')).toContain('The branch is kept until 1 May');
  expect(discardedWords('KES-1', loss(), '1 May')).toContain('Its branch is kept until 1 May');
});

test('where nothing is lost or kept no day is named', () => {
  expect(keptWords(loss({ commits: 0 }), '1 May')).toBe('');
  expect(keptWords(loss({ keptUntil: 0 }), '1 May')).toBe('');
  expect(discardedWords('KES-1', loss({ keptUntil: 0 }), '1 May')).toBe('Discarded KES-1');
});
