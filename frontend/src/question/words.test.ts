// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { sourceOf, whereAnswered } from './words';

const answer = (by: beckon.Answer['by'], byName?: string) =>
  ({ items: [], verdict: '', text: '', by, byName, at: 1 }) as beckon.Answer;

test('an answer says from where it came, where that was not this page', () => {
  expect(['user', 'rule', 'terminal'].map((by) => sourceOf(answer(by as 'user')))).toEqual([
    '',
    '',
    '',
  ]);
  expect(
    [
      answer('tray'),
      answer('notification'),
      answer('phone', 'Pixel\u202e 9'),
      answer('telegram', '@mira'),
    ].map(sourceOf),
  ).toEqual([
    'from the tray',
    'from a notification',
    'from Pixel⟨U+202E⟩ 9',
    'over Telegram, @mira',
  ]);
  const elsewhere = { origin: 'zsh', answer: answer('phone', 'Pixel 9') } as beckon.Question;
  expect([
    whereAnswered(elsewhere),
    whereAnswered({ ...elsewhere, answer: answer('terminal') }),
  ]).toEqual(['answered in Beckon, from Pixel 9', 'answered in the terminal']);
});
