import { describe, expect, test } from 'vitest';
import { fold, inlineCode, oneLine, plain, stripAnsi, visible } from './plain';

describe('a terminal’s escapes do nothing', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]8;;https://evil.test\u0007click\u001b]8;;\u0007', 'click'],
    ['\u001b]8;;https://evil.test\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001bPdata\u001b\\x', 'x'],
    ['\u009b31mred', 'red'],
    ['a\u001b]unclosed\nthe next line stays', 'a\nthe next line stays'],
    ['\u001b[2J\u001b[Hgone', 'gone'],
    ['\u001b(Bx\u001bcx', 'xx'],
  ])('%j', (given, want) => {
    expect(stripAnsi(given)).toBe(want);
  });
});

describe('what hides is shown', () => {
  test.each([
    ['admin\u202Etxt.exe', 'admin⟨U+202E⟩txt.exe'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['pass\u200bword', 'pass⟨U+200B⟩word'],
    ['\u{e0041}\u{e0042}', '⟨U+E0041⟩⟨U+E0042⟩'],
    ['nul\u0000', 'nul⟨U+0000⟩'],
    ['half\ud800', 'half⟨U+D800⟩'],
    ['a\u200db', 'a⟨U+200D⟩b'],
    ['\ufeffx\u3164', '⟨U+FEFF⟩x⟨U+3164⟩'],
  ])('%j', (given, want) => {
    expect(visible(given)).toBe(want);
  });

  test('pictures, accents and scripts that need joiners stay as they are', () => {
    for (const text of ['👩‍👩‍👧', '❤️‍🔥', '👩🏽‍💻', 'می\u200cخواهم', 'é ü 日本語 😀', 'tab\tline\n']) {
      expect(visible(text)).toBe(text);
    }
  });

  test('a carriage return does not overwrite what stands before it', () => {
    expect(visible('rm -rf /\recho ok\r\nx')).toBe('rm -rf /\necho ok\nx');
  });
});

test('one line is one line', () => {
  expect(oneLine(' a\n\n b\tc\u001b[1m ')).toBe('a b c');
});

test('a megabyte in one line is cut and says how much is missing', () => {
  const folded = fold('x'.repeat(1 << 20) + '\ny\nz', 2);
  expect(folded.text.length).toBeLessThan(2100);
  expect(folded.lines).toBe(1);
  expect(folded.chars).toBeGreaterThan(1_000_000);
});

test('only backticks are markup in a question', () => {
  expect(inlineCode('Rename `Span` to <b>x</b> **y**?')).toEqual([
    { code: false, text: 'Rename ' },
    { code: true, text: 'Span' },
    { code: false, text: ' to <b>x</b> **y**?' },
  ]);
});

test('the worst input is read in no time', () => {
  const started = performance.now();
  plain('\u001b]'.repeat(200_000) + '\u001b['.repeat(200_000) + '\u202e'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(2000);
});
