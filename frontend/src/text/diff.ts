// A unified diff as rows to show.

/** LineKind: unchanged, added, removed, the head of a hunk, or a remark of git's. */
export type LineKind = 'same' | 'add' | 'del' | 'hunk' | 'remark';

/** DiffLine is one row of a diff. */
export interface DiffLine {
  kind: LineKind;
  before: number; // line number before the change, 0 where it has none
  after: number;
  text: string;
  /** What changed within the line: from and to, in characters; null for all of it. */
  mark: [number, number] | null;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * parseDiff reads a unified diff. File headers before the first @@ are left
 * out; lines that fit nowhere are remarks, so no input makes it fail.
 */
export function parseDiff(patch: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  const source = patch.endsWith('\n') ? patch.slice(0, -1) : patch;
  for (const raw of source ? source.split('\n') : []) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const hunk = head.exec(line);
    if (hunk) {
      inHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      lines.push({ kind: 'hunk', before, after, text: hunk[5] ?? '', mark: null });
    } else if (inHunk) {
      const kind = kindOf(line);
      lines.push({ kind, before: at(kind, 'add', before), after: at(kind, 'del', after), text: line.slice(1), mark: null });
      if (kind === 'same' || kind === 'del') before++;
      if (kind === 'same' || kind === 'add') after++;
    }
  }
  markWords(lines);
  return lines;
}

function kindOf(line: string): LineKind {
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'del';
  return line.startsWith(' ') || line === '' ? 'same' : 'remark';
}

function at(kind: LineKind, without: LineKind, number: number): number {
  return kind === without || kind === 'remark' ? 0 : number;
}

/** markWords pairs each run of removed lines with the added ones after it. */
function markWords(lines: DiffLine[]): void {
  let i = 0;
  while (i < lines.length) {
    const dels = run(lines, i, 'del');
    const adds = run(lines, i + dels.length, 'add');
    for (const [n, del] of dels.entries()) {
      const add = adds[dels.length === adds.length ? n : mostAlike(del, adds)];
      if (add && (dels.length === adds.length || !add.mark)) markPair(del, add);
    }
    i += Math.max(1, dels.length + adds.length);
  }
}

function run(lines: DiffLine[], from: number, kind: LineKind): DiffLine[] {
  let to = from;
  while (lines[to]?.kind === kind) to++;
  return lines.slice(from, to);
}

// Runs longer than this are rewritten blocks, in which pairs mean nothing.
const longRun = 40;

function mostAlike(del: DiffLine, adds: DiffLine[]): number {
  if (adds.length > longRun) return -1;
  let best = -1;
  let most = 0;
  for (const [n, add] of adds.entries()) {
    const [from, until] = shared(del.text, add.text);
    if (from + until > most) [best, most] = [n, from + until];
  }
  return best;
}

/** shared returns how many characters of whole words two lines begin and end with. */
function shared(a: string, b: string): [number, number] {
  const short = Math.min(a.length, b.length, 2000);
  let from = 0;
  while (from < short && a[from] === b[from]) from++;
  while (from > 0 && word(a[from - 1]) && (word(a[from]) || word(b[from]))) from--;
  let until = 0;
  while (until < short - from && a[a.length - 1 - until] === b[b.length - 1 - until]) until++;
  while (until > 0 && word(a[a.length - until]) && (word(a[a.length - until - 1]) || word(b[b.length - until - 1]))) until--;
  return [from, until];
}

function word(c: string | undefined): boolean {
  return c !== undefined && /[\w$]/.test(c);
}

/** markPair marks what differs, where enough is the same to compare. */
function markPair(del: DiffLine, add: DiffLine): void {
  const [from, until] = shared(del.text, add.text);
  const same = del.text.slice(0, from).trim().length + del.text.slice(del.text.length - until).trim().length;
  if (same * 3 < Math.max(del.text.trim().length, add.text.trim().length)) return;
  del.mark = [from, del.text.length - until];
  add.mark = [from, add.text.length - until];
}
