// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { isMove, Moves } from './moves';

function clockwork() {
  const clock = { now: 1000 };
  return { clock, moves: new Moves(() => clock.now) };
}

test('a question that the person went to takes their key at once, the one after it does not', () => {
  const { clock, moves } = clockwork();
  expect(moves.led(), 'nobody moved').toBe(false);
  moves.note(true);
  clock.now += 30;
  expect(moves.led()).toBe(true);
  clock.now += 5;
  expect(moves.led(), 'all that one move shows').toBe(true);
  clock.now += 200;
  expect(moves.led(), 'it was replaced on its own').toBe(false);
});

test('a question that takes the place of an answered one came on its own', () => {
  const { clock, moves } = clockwork();
  moves.note(true);
  moves.note(false); // the answer
  clock.now += 10;
  expect(moves.led()).toBe(false);
});

test('a move long ago led to nothing that comes now', () => {
  const { clock, moves } = clockwork();
  moves.note(true);
  clock.now += 5000;
  expect(moves.led()).toBe(false);
});

test('keys and presses that answer are no moves', () => {
  const key = (name: string, more = {}) =>
    isMove(new KeyboardEvent('keydown', { key: name, ...more }));
  expect(['j', 'J', 'k', 'Tab', 'ArrowDown'].map((name) => key(name))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([key('4', { ctrlKey: true }), key('j', { metaKey: true })]).toEqual([true, true]);
  expect(['1', 's', 'h', 'Enter', 'o'].map((name) => key(name))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  const b = new KeyboardEvent('keydown', { key: 'b' });
  expect([isMove(b), isMove(b, 'J'), isMove(b, 'G')], 'B alone tries two answers').toEqual([
    false,
    false,
    true,
  ]);
  document.body.innerHTML = '<div class="ask"><button>Send</button></div><a href="#/">Inbox</a>';
  const pressed = (selector: string) => {
    let moved: boolean | undefined;
    const element = document.querySelector(selector)!;
    element.addEventListener('pointerdown', (event) => (moved = isMove(event)), { once: true });
    element.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    return moved;
  };
  expect([pressed('button'), pressed('a')]).toEqual([false, true]);
});
