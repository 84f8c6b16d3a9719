// Text that an agent or a tool wrote, made safe to read: what a terminal
// would obey and what the eye would miss is taken out or shown.

// The sequences of ECMA-48: strings that end with BEL or ST (OSC carries
// links and window titles), control sequences, and two-character escapes. An
// unclosed string ends with its line, so that it cannot swallow the rest.
const ansi =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b[P\]X^_]|[\u0090\u009d\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** stripAnsi takes terminal escapes out, links and titles included. */
export function stripAnsi(text: string): string {
  return /[\u001b\u0080-\u009f]/.test(text) ? text.replace(ansi, '') : text; // eslint-disable-line no-control-regex
}

// Controls but tab and line feed, bidirectional overrides and isolates, and
// everything that takes no space: the means to show other text than is there.
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

const joiners = new Set(['\u200c', '\u200d']);
// Scripts whose spelling needs joiners, and pictures that are joined of parts.
const joins =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;

/**
 * visible shows what hides: each control, override or zero-width character
 * becomes its code, such as "⟨U+202E⟩". Joiners stay where a script or a
 * picture needs them.
 */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(hidden, (c, at: number) => {
    if (joiners.has(c) && joins.test(text.slice(Math.max(0, at - 2), at))) return c;
    const code = c.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** plain is stripAnsi and visible: what may be set as an element's text. */
export function plain(text: string): string {
  return visible(stripAnsi(text));
}

/** oneLine is plain text with its line breaks and runs of blanks made single. */
export function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}

/** Folded is a long text with its middle, or its end, left out. */
export interface Folded {
  text: string; // before what was left out
  end: string; // after it
  lines: number; // left out
  chars: number; // left out, of lines that are shown and those that are not
}

/**
 * fold cuts a text to its first lines and, where some are wanted, its last
 * ones, and each line to a number of characters.
 */
export function fold(text: string, lines: number, chars = 2000, last = 0): Folded {
  const all = text.split('\n');
  const cut = (list: string[]) =>
    list.map((l) => (l.length > chars ? l.slice(0, chars) + '…' : l)).join('\n');
  const whole = all.length <= lines + last;
  const first = cut(whole ? all : all.slice(0, lines));
  const end = whole || last === 0 ? '' : cut(all.slice(-last));
  return {
    text: first,
    end,
    lines: whole ? 0 : all.length - lines - last,
    chars: Math.max(0, text.length - first.length - end.length),
  };
}

/** chunks splits a text at line ends into parts of so many lines, so that a page may leave out those that are not in sight. */
export function chunks(text: string, lines: number): { text: string; lines: number }[] {
  const all = text.split('\n');
  const parts: { text: string; lines: number }[] = [];
  for (let i = 0; i < all.length; i += lines) {
    const part = all.slice(i, i + lines);
    parts.push({ text: part.join('\n'), lines: part.length });
  }
  return parts;
}

/** Span is a piece of plain text, in code or not. */
export interface Span {
  code: boolean;
  text: string;
}

/** inlineCode splits plain text at its backticks; nothing else is markup. */
export function inlineCode(text: string): Span[] {
  const spans: Span[] = [];
  for (const [i, part] of plain(text)
    .split(/`([^`\n]+)`/)
    .entries()) {
    if (part) spans.push({ code: i % 2 === 1, text: part });
  }
  return spans;
}
