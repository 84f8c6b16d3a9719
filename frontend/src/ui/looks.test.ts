import { expect, test } from 'vitest';
import { attributesOf } from './looks';

const plain = { textSize: 0, density: '', codeFont: '', contrast: '', motion: '' };

test('what nobody chose is as the design has it', () => {
  expect(attributesOf({ theme: '', looks: plain }, false)).toEqual({});
});

test('what somebody chose is what the style sheets know', () => {
  const looks = {
    textSize: 16,
    density: 'comfortable',
    codeFont: 'system',
    contrast: 'more',
    motion: 'off',
  };
  expect(attributesOf({ theme: 'dark', looks }, false)).toEqual({
    theme: 'dark',
    text: '16',
    density: 'comfortable',
    code: 'system',
    contrast: 'more',
    motion: 'off',
  });
});

test('who asks the system for contrast gets it without asking Beckon', () => {
  expect(attributesOf({ theme: '', looks: plain }, true)).toEqual({ contrast: 'more' });
});
