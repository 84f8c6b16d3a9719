// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import type { Lanes } from '../state';
import { afterCards, nextInNeed, onward } from './focusMoves';

const cards = (...ids: string[]) => ids.map((id) => ({ id }) as beckon.Task);
const lanes: Lanes = {
  backlog: cards('a', 'b', 'c'),
  queued: [],
  running: [],
  review: cards('x'),
  done: [],
};

test('the focus goes to the next card that stays, or to the one before', () => {
  expect(afterCards(lanes, 'a', ['a', 'b'])).toBe('c');
  expect(afterCards(lanes, 'c', ['b', 'c'])).toBe('a');
});

test('where a whole column goes, the focus goes to another one', () => {
  expect(afterCards(lanes, undefined, ['a', 'b', 'c'])).toBe('x');
  expect(afterCards(lanes, undefined, ['a', 'b', 'c', 'x'])).toBeUndefined();
});

test('the focus goes on to the next card that needs the person, or to the first', () => {
  const needs = (id: string) => ['a', 'c', 'd'].includes(id);
  expect(nextInNeed(['a', 'b', 'c', 'd'], 'b', needs)).toBe('c');
  expect(nextInNeed(['a', 'c', 'b'], 'b', needs)).toBe('a');
  expect(nextInNeed(['b'], 'b', needs)).toBeUndefined();
  expect(nextInNeed(['c', 'd'], 'elsewhere', needs)).toBe('c');
});

test('J leads from the end of a column to the next card that needs the person', () => {
  const lane = (...cards: string[]) =>
    `<div class="lane">${cards.map((id) => `<div class="card ${id === id.toUpperCase() ? 'needs' : ''}" data-task="${id}"></div>`).join('')}</div>`;
  const board = document.createElement('div');
  board.innerHTML = lane('a', 'b') + lane('C', 'D', 'e') + lane('f');
  document.body.append(board);
  const from = (id: string) =>
    onward(board, board.querySelector(`[data-task="${id}"]`))?.dataset.task;
  expect(['a', 'b', 'C', 'D', 'e', 'f'].map(from)).toEqual(['b', 'C', 'D', 'e', 'C', 'C']);
  expect(onward(board, null)?.dataset.task).toBe('C');
  board.querySelectorAll('.needs').forEach((card) => card.classList.remove('needs'));
  expect(['b', 'e'].map(from)).toEqual([undefined, undefined]);
});
