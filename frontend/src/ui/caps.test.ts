import { expect, test } from 'vitest';
import { capOf, isEnter, type Pressed } from './caps';

const held = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ...held,
  isComposing: false,
  keyCode: { Enter: 13, Escape: 27 }[key] ?? 0,
  ...more,
});

/** The keydown that confirms or drops a word of an input method. */
const orders: Record<string, (key: string) => Pressed> = {
  'keydown before compositionend, as in Chromium': (key) =>
    press(key, { isComposing: true, keyCode: 229 }),
  'compositionend before keydown, as in WebKit': (key) => press(key, { keyCode: 229 }),
  'the key is not named, as on Windows': () => press('Process', { keyCode: 229 }),
};

test.each(Object.entries(orders))(
  'what an input method is asked does nothing else: %s',
  (_, order) => {
    expect([isEnter(order('Enter')), capOf(order('Enter')), capOf(order('Escape'))]).toEqual([
      false,
      '',
      '',
    ]);
    expect(
      [isEnter(press('Enter')), capOf(press('Enter')), capOf(press('Escape'))],
      'the next press is the page’s',
    ).toEqual([true, 'Enter', 'Esc']);
  },
);

test('Enter is Enter whatever is held with it', () => {
  expect([
    isEnter(press('Enter', { shiftKey: true })),
    isEnter(press('Enter', { ctrlKey: true })),
    isEnter(press('Enter', { altKey: true })),
  ]).toEqual([true, true, true]);
  expect([isEnter(press('e')), isEnter(press('Escape')), isEnter(press(' '))]).toEqual([
    false,
    false,
    false,
  ]);
});
