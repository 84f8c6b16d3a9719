import { expect, test } from 'vitest';
import { codeOf, routeOf, shown, tidy } from './route';

test('a pairing link gives its code, and nothing else does', () => {
  expect(codeOf('#pair=K7QF2M9D')).toBe('K7QF2M9D');
  expect(codeOf('#pair=k7qf-2m9d')).toBe('K7QF2M9D');
  expect(
    ['', '#/q/1', '#pair=', '#pair=<b>', '#/pair=K7QF2M9D', `#pair=${'A'.repeat(41)}`].map(codeOf),
  ).toEqual(['', '', '', '', '', '']);
});

test('a code that is read aloud is taken as it was meant', () => {
  expect(tidy(' k7qf 2m9d ')).toBe('K7QF2M9D');
  expect(tidy('OIL0')).toBe('0110');
  expect([shown('K7QF2M9D'), shown('')]).toEqual(['K7QF-2M9D', '']);
});

test('a notification leads to its question, and a wrong address to the Inbox', () => {
  expect(routeOf('#/q/0190f-ab_1')).toEqual({ page: 'question', id: '0190f-ab_1' });
  expect(
    ['', '#/', '#/q/', '#/q/a/b', '#/q/../api', `#/q/${'a'.repeat(65)}`].map(
      (hash) => routeOf(hash).page,
    ),
  ).toEqual(Array(6).fill('inbox'));
});
