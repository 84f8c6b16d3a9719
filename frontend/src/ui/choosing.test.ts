import { expect, test } from 'vitest';
import { nextChoice, TypeAhead } from './choosing';

const three = [
  { value: 'a', label: 'Archive' },
  { value: 'b', label: 'Base', off: true },
  { value: 'c', label: 'Close' },
];

test('arrows pass what cannot be chosen, and stay at the ends', () => {
  expect(nextChoice(three, 0, 1)).toBe(2);
  expect(nextChoice(three, 2, -1)).toBe(0);
  expect(nextChoice(three, 2, 1)).toBe(2);
  expect(nextChoice(three, -1, 1)).toBe(0);
  expect(nextChoice(three, 3, -1)).toBe(2);
});

test('letters find what begins with them: one again the next, several a word, a pause another', () => {
  let now = 0;
  const word = new TypeAhead(() => now);
  const labels = ['Never', 'New', 'Next'];
  expect(word.find('n', labels, 0)).toBe(1);
  expect(word.find('n', labels, 1)).toBe(2);
  now += 1000;
  expect(word.typing).toBe(false);
  expect(['n', 'e', 'v'].reduce((at, letter) => word.find(letter, labels, at), 2)).toBe(0);
  expect(word.typing).toBe(true);
  expect(word.find('x', labels, 1)).toBe(1);
});
