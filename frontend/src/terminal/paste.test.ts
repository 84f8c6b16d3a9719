import { expect, test } from 'vitest';
import { plainPaste } from './paste';

test('what is pasted cannot end its brackets, nor press a key', () => {
  expect(plainPaste('a\tb\r\nc\x1b[201~\x03rm\x7f \x9b201~ü😀')).toBe('a\tb\r\nc[201~rm 201~ü😀');
});
