import { expect, test } from 'vitest';
import { languageOf, loadLanguage, pieces, withMark } from './highlight';

test('code keeps every character and gets its colours', async () => {
  const code = 'if a < b && s == "<script>" { return 12 } // x';
  expect(pieces(code, 'go')).toEqual([{ text: code, cls: '' }]);
  await loadLanguage('go');
  const list = pieces(code, 'go');
  expect(list.map((p) => p.text).join('')).toBe(code);
  expect(list.filter((p) => p.cls).map((p) => [p.cls, p.text])).toEqual([
    ['k', 'if'],
    ['q1', '"<script>"'],
    ['k', 'return'],
    ['n', '12'],
    ['cm', '// x'],
  ]);
});

test('of a function its name is coloured, not its parameters', async () => {
  await loadLanguage('go');
  const list = pieces('func Merge(shards [][]Row) {', 'go');
  expect(list.filter((p) => p.cls === 'f').map((p) => p.text)).toEqual(['Merge']);
});

test('a language is known by a file’s name, and an object’s own words are none', () => {
  expect(['a/b.go', 'x.TSX', 'py', 'Makefile', 'constructor', '__proto__'].map(languageOf)).toEqual(
    ['go', 'typescript', 'python', '', '', ''],
  );
});

test('a marked word is split off across colours', () => {
  const marked = withMark(
    [
      { text: 'abc', cls: 'k' },
      { text: 'def', cls: '' },
    ],
    [2, 4],
  );
  expect(marked.map((p) => [p.text, p.mark, p.cls])).toEqual([
    ['ab', false, 'k'],
    ['c', true, 'k'],
    ['d', true, ''],
    ['ef', false, ''],
  ]);
});

test('a line of a megabyte is not coloured', async () => {
  await loadLanguage('json');
  expect(pieces('['.repeat(1 << 20), 'json')).toHaveLength(1);
});
