// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { MenuKeys } from './menuKeys';

function menu(...labels: string[]) {
  let now = 0;
  let closed = 0;
  const items = labels.map((label) => {
    const item = document.body.appendChild(document.createElement('button'));
    item.textContent = label;
    return item;
  });
  items[0]!.focus();
  const keys = new MenuKeys(() => now);
  const press = (key: string, init: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...init });
    keys.press(event, items, () => closed++);
    return { at: document.activeElement?.textContent, taken: event.defaultPrevented, closed };
  };
  return { press, wait: (ms: number) => (now += ms) };
}

test('arrows go round, Home and End to the ends', () => {
  const { press } = menu('Archive', 'Delete', 'Export');
  expect(press('ArrowUp').at).toBe('Export');
  expect(press('ArrowDown').at).toBe('Archive');
  expect(press('End').at).toBe('Export');
  expect(press('Home').at).toBe('Archive');
});

test('letters go to the item that begins with them, and the same letter to the next', () => {
  const { press, wait } = menu('Archive', 'Delete task', 'Discard', 'Export');
  expect(press('d').at).toBe('Delete task');
  expect(press('d').at).toBe('Discard');
  wait(1000);
  press('d');
  expect(press('e').at).toBe('Delete task');
  wait(1000);
  expect(press('x')).toMatchObject({ at: 'Delete task', taken: true });
  wait(1000);
  expect(press(' ').taken, 'Space chooses, unless a word is being typed').toBe(false);
  expect(press('d', { ctrlKey: true }).taken).toBe(false);
});

test('Escape and Tab leave, and Tab goes on from the button', () => {
  const { press } = menu('Archive');
  expect(press('Escape')).toMatchObject({ closed: 1, taken: true });
  expect(press('Tab')).toMatchObject({ closed: 2, taken: false });
});
