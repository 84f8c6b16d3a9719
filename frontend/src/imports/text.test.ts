import { expect, test } from 'vitest';
import { kindOfFile, pieces, textOf } from './text';

test('a file is read in the encodings that tools export, and no other is guessed', () => {
  const bytes = (...list: number[]) => new Uint8Array(list);
  expect(textOf(new TextEncoder().encode('Übung'))).toBe('Übung');
  expect(textOf(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
  expect(textOf(bytes(0xff, 0xfe, 0xdc, 0x00))).toBe('Ü');
  expect(textOf(bytes(0xfe, 0xff, 0x00, 0xdc))).toBe('Ü');
  expect(textOf(bytes(0xdc, 0x62))).toBeUndefined(); // Windows-1252
  expect(textOf(bytes(0x61, 0, 0x62))).toBeUndefined();
});

test('no piece ends within a character', () => {
  expect(pieces('', 2)).toEqual([]);
  expect(pieces('abcde', 2)).toEqual(['ab', 'cd', 'e']);
  expect(pieces('a😀b', 2)).toEqual(['a', '😀', 'b']);
});

test('the name of a file says what is in it', () => {
  expect(['a.CSV', 'b.tsv', 'c.md', 'd.txt', 'db.v2.sqlite', 'e.png', 'f'].map(kindOfFile)).toEqual(
    ['csv', 'csv', 'markdown', 'markdown', 'database', undefined, undefined],
  );
});
