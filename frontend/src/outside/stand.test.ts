import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { standWords } from './stand';

const session = (status: beckon.OutsideSession['status'], ended = 0) =>
  ({ status, ended }) as beckon.OutsideSession;

test('a session that writes down no status is not said to run', () => {
  expect(
    ['busy', 'idle', 'waiting', ''].map((status) =>
      standWords(session(status as beckon.OutsideSession['status'])),
    ),
  ).toEqual(['running', 'your turn', 'waiting', 'state unknown']);
  expect(standWords(session('', 5))).toBe('ended');
});
