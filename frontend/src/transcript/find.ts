// Finding words in a transcript: which entries have them, and where they
// stand in what is drawn.

import type { beckon } from '../bridge';

/** patternOf is what a query looks for: its words as they are, in any case, however they are spaced. Null for none. */
export function patternOf(query: string): RegExp | null {
  const words = query.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return new RegExp(
    words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'),
    'giu',
  );
}

/** has reports whether an entry shows what is looked for. */
export function has(entry: beckon.Entry, pattern: RegExp): boolean {
  const { tool } = entry;
  const texts = tool ? [tool.target, tool.result, tool.diff, tool.input] : [entry.text];
  return texts.some((text) => text.search(pattern) >= 0);
}

/** How many places are marked at most; the eye finds no more. */
const most = 500;

/** rangesIn returns where the pattern stands in an element, also where a word is drawn in pieces. */
export function rangesIn(element: Element, pattern: RegExp): Range[] {
  const nodes: { node: Text; from: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  let at = 0; // of the node that the last match began in
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '' || ranges.length >= most) break;
    while (at + 1 < nodes.length && nodes[at + 1]!.from <= match.index) at++;
    ranges.push(rangeOf(nodes, at, match.index, match.index + match[0].length));
  }
  return ranges;
}

function rangeOf(
  nodes: { node: Text; from: number }[],
  at: number,
  from: number,
  to: number,
): Range {
  let end = at;
  while (end + 1 < nodes.length && nodes[end + 1]!.from < to) end++;
  const range = new Range();
  range.setStart(nodes[at]!.node, from - nodes[at]!.from);
  range.setEnd(nodes[end]!.node, to - nodes[end]!.from);
  return range;
}

/**
 * followMarks colours what is found in the rows of a list, and keeps to it
 * while rows come and go; the row that the reader was led to stands out. It
 * ends with the returned function.
 */
export function followMarks(list: HTMLElement, pattern: RegExp | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => mark(list.querySelectorAll('.line'), list.querySelector('.line.led'), pattern);
  const watch = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(draw, settleMs);
  });
  watch.observe(list, { childList: true, subtree: true, characterData: true });
  draw();
  return () => {
    watch.disconnect();
    clearTimeout(timer);
    mark([], null, null);
  };
}

const settleMs = 30;

function mark(rows: Iterable<Element>, current: Element | null, pattern: RegExp | null): void {
  // Older engines have no such colours; the row is marked all the same.
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete('found');
  CSS.highlights.delete('found-here');
  if (pattern === null) return;
  const found: Range[] = [];
  for (const row of rows)
    if (row !== current && found.length < most) found.push(...rangesIn(row, pattern));
  CSS.highlights.set('found', new Highlight(...found));
  if (current) CSS.highlights.set('found-here', new Highlight(...rangesIn(current, pattern)));
}
