import { expect, test } from 'vitest';
import { screen } from './screen';

test.each([
  ['\u001b[32mok\u001b[0m\r\nnext', 'ok\nnext'],
  ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['10 %\r', '10 %'],
  ['a\u202eb', 'a⟨U+202E⟩b'],
])('what a terminal would show of %j', (text, shown) => {
  expect(screen(text)).toBe(shown);
});
