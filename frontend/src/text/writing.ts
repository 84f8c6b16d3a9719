// Markdown while it is being written: what stands stays as it is, and only the
// end is read again.

import type { Token } from 'marked';
import { type Block, lex, render } from './markdown';
import { plain } from './plain';

/** How many blocks of a text that is being written are kept; the rest is above the view. */
const most = 200;
/** The last tokens may still become others, such as a list that goes on. */
const unsettled = 2;

/**
 * Writing turns a growing text into blocks. A block that is finished is the
 * same object from then on, so that nothing of it is drawn again.
 */
export class Writing {
  #settled = '';
  #blocks: Block[] = [];

  /** blocks returns those of the text as far as it was written. */
  blocks(source: string): Block[] {
    const text = plain(source);
    if (!text.startsWith(this.#settled)) {
      this.#settled = '';
      this.#blocks = [];
    }
    const tokens = lex(text.slice(this.#settled.length));
    if (tokens === null) return this.#raw(text);
    this.#settle(tokens, text);
    const last = text.slice(this.#settled.length);
    return [...this.#blocks, ...one(lex(mended(last)) ?? [], last)];
  }

  /** Keeps the tokens that are finished. The parser tidies some; those have no place in the text and stay open. */
  #settle(tokens: Token[], text: string): void {
    for (const token of tokens.slice(0, Math.max(0, tokens.length - unsettled))) {
      if (!text.startsWith(token.raw, this.#settled.length)) break;
      this.#settled += token.raw;
      this.#blocks.push(...one([token], token.raw));
    }
    this.#blocks = this.#blocks.slice(-most);
  }

  #raw(text: string): Block[] {
    return [
      ...this.#blocks,
      { kind: 'raw', text: text.slice(this.#settled.length).slice(-20_000) },
    ];
  }
}

/** one renders each token as a block of its own. */
function one(tokens: Token[], raw: string): Block[] {
  return tokens
    .filter((token) => token.type !== 'space')
    .flatMap((token) => render([token]) ?? [{ kind: 'raw', text: raw }]);
}

// What the next character decides is not shown until it is there: a marker at
// the beginning of a line, and the head of a table before its second line.
const undecided =
  /(?:^|\n) {0,3}(?:[-=*+_~#>|]{1,3}|`{1,2}|\d{1,3}[.)]?) ?$|(?:^|\n\n)\|[^\n]*(?:\n\|?[\s:|-]*)?$/;

/** mended closes what is begun and not yet ended, so that words do not change their looks when it is. */
export function mended(text: string): string {
  if (insideFence(text)) return text;
  const shown = text.replace(undecided, '');
  const at = shown.lastIndexOf('\n\n') + 1;
  return shown.slice(0, at) + mendedLine(shown.slice(at));
}

function insideFence(text: string): boolean {
  let fence = '';
  for (const [, mark = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
  }
  return fence !== '';
}

function mendedLine(text: string): string {
  if (count(text, /`+/g) % 2 === 1)
    return text.endsWith('`') ? text.replace(/`+$/, '') : `${text}\``;
  const open = text.replace(/!?\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/, '$1');
  if (count(open, /\*\*/g) % 2 === 0) return open;
  return /\*\*\s*$/.test(open) ? open.replace(/\*\*\s*$/, '') : `${open.replace(/\*+$/, '')}**`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
