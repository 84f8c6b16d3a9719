import { expect, test } from 'vitest';
import { actOf, type Key, type Situation } from './keys';

const key = (pressed: string, more: Partial<Key> = {}): Key => ({
  key: pressed,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});
const at: Situation = { empty: false, walking: false, busy: true };

test('each key does one thing, and says so before', () => {
  const table: [string, Partial<Key>, Partial<Situation>, string][] = [
    ['Enter', {}, {}, 'send'],
    ['Enter', { altKey: true }, {}, 'queue'],
    ['Enter', { shiftKey: true }, {}, ''],
    ['Escape', {}, { empty: true }, 'interrupt'],
    ['Escape', {}, {}, 'leave'],
    ['Escape', {}, { busy: false, empty: true }, 'leave'],
    ['ArrowUp', {}, { empty: true }, 'older'],
    ['ArrowUp', {}, {}, ''],
    ['ArrowUp', {}, { walking: true }, 'older'],
    ['ArrowDown', {}, { walking: true }, 'newer'],
    ['ArrowDown', {}, { empty: true }, ''],
    ['ArrowUp', { shiftKey: true }, { empty: true }, ''],
    ['a', {}, { empty: true }, ''],
  ];
  for (const [pressed, more, situation, act] of table)
    expect(
      actOf(key(pressed, more), { ...at, ...situation }),
      `${pressed} ${JSON.stringify({ ...more, ...situation })}`,
    ).toBe(act);
});

test('what an input method is still composing is not sent, in WebKit neither', () => {
  expect(actOf(key('Enter', { isComposing: true }), at)).toBe('');
  expect(actOf(key('Enter', { keyCode: 229 }), at)).toBe('');
  expect(actOf(key('Escape', { isComposing: true }), at)).toBe('');
});
