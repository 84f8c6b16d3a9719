// @vitest-environment jsdom
import { beforeAll, describe, expect, test } from 'vitest';
import { renderMarkdown } from './markdown';
import { mended, Writing } from './writing';

const text = `# Plan

The grammar accepts **several** clauses in \`during\`, see [the manual](https://example.test/a).

- one
- two
  - inner

| a | b |
|---|---|
| 1 | 2 |

\`\`\`go
func x() {}
\`\`\`

The end.`;

/** What is shown after each character; it takes long enough to be made once. */
const written: string[] = [];
beforeAll(() => {
  const writing = new Writing();
  for (let i = 1; i <= text.length; i++)
    written.push(
      writing
        .blocks(text.slice(0, i))
        .map((b) => (b.kind === 'html' ? b.html : `[${b.kind}]`))
        .join(''),
    );
});

test('a text that was written to its end reads as one that came at once', () => {
  const whole = renderMarkdown(text).map((b) => (b.kind === 'html' ? b.html : `[${b.kind}]`));
  expect(written.at(-1)!.replace(/\n/g, '')).toBe(whole.join('').replace(/\n/g, ''));
});

test('no marker is seen before it is known what it means', () => {
  for (const shown of written) {
    const seen = shown.replace(/<[^>]*>/g, '');
    expect(seen).not.toMatch(/\*\*|`|\]\(|\||---/);
    expect(shown, 'a list item is no underlined heading').not.toMatch(/<h\d>(?!P)/);
  }
});

test('what is finished is not made again', () => {
  const writing = new Writing();
  const before = writing.blocks('One.\n\nTwo.\n\nThree.\n\nFour');
  const after = writing.blocks('One.\n\nTwo.\n\nThree.\n\nFour and more');
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});

test('a text that starts over is shown from its beginning', () => {
  const writing = new Writing();
  writing.blocks('One.\n\nTwo.\n\nThree.\n\nFour');
  expect(writing.blocks('Other').map((b) => b.kind === 'html' && b.html)).toEqual([
    '<p>Other</p>\n',
  ]);
});

describe('what is half written is closed', () => {
  test.each([
    ['a **bo', 'a **bo**'],
    ['a **', 'a '],
    ['a `co', 'a `co`'],
    ['a [li', 'a li'],
    ['a [link](https://x', 'a link'],
    ['para\n-', 'para'],
    ['para\n\n| a |', 'para'],
    ['```sh\na **b', '```sh\na **b'],
    ['done.', 'done.'],
  ])('%j', (half, whole) => expect(mended(half)).toBe(whole));
});

test('of a long text no more is made again than of a short one', () => {
  const writing = new Writing();
  let long = '';
  let before = writing.blocks(long);
  for (let i = 0; i < 30; i++) {
    long += `Paragraph ${i} with **some** words and \`code\`.\n\n`;
    const after = writing.blocks(long);
    expect(after.filter((block) => !before.includes(block)).length).toBeLessThanOrEqual(3);
    before = after;
  }
});

test('what is too wild to be read is shown as it comes', () => {
  expect(new Writing().blocks('['.repeat(100_000))).toEqual([
    { kind: 'raw', text: '['.repeat(20_000) },
  ]);
});
