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
  const reader = new DiffReader(patch);
  reader.read();
  return reader.lines;
}

/** DiffReader is parseDiff in parts, for a diff that is too long to be read at once. */
export class DiffReader {
  /** Those that were read by now. What changed within the last of them is marked once their change ends. */
  readonly lines: DiffLine[] = [];
  #source: string;
  #at = 0;
  #before = 0;
  #after = 0;
  #inHunk = false;
  /** Where the change begins that the last line is of. */
  #change = 0;

  constructor(patch: string) {
    this.#source = patch.endsWith('\n') ? patch.slice(0, -1) : patch;
    if (patch === '') this.#at = 1;
  }

  get done(): boolean {
    return this.#at > this.#source.length;
  }

  /** Reads so many lines more. */
  read(most = Infinity): void {
    for (let n = 0; n < most && !this.done; n++) {
      const end = this.#source.indexOf('\n', this.#at);
      const raw = this.#source.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#source.length + 1 : end + 1;
      this.#line(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    }
    if (this.done) this.#mark();
  }

  #line(line: string): void {
    const hunk = line.startsWith('@@ ') ? head.exec(line) : null;
    if (hunk) {
      this.#inHunk = true;
      this.#before = Number(hunk[1]);
      this.#after = Number(hunk[3]);
      this.#mark();
      this.lines.push({
        kind: 'hunk',
        before: this.#before,
        after: this.#after,
        text: hunk[5] ?? '',
        mark: null,
      });
      return;
    }
    if (!this.#inHunk) return;
    const kind = kindOf(line);
    if (kind !== 'add' && kind !== 'del') this.#mark();
    this.lines.push({
      kind,
      before: at(kind, 'add', this.#before),
      after: at(kind, 'del', this.#after),
      text: line.slice(1),
      mark: null,
    });
    if (kind === 'same' || kind === 'del') this.#before++;
    if (kind === 'same' || kind === 'add') this.#after++;
  }

  /** Marks what changed within the lines of the change that has just ended. */
  #mark(): void {
    markWords(this.lines, this.#change);
    this.#change = this.lines.length;
  }
}

function kindOf(line: string): LineKind {
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'del';
  return line.startsWith(' ') || line === '' ? 'same' : 'remark';
}

function at(kind: LineKind, without: LineKind, number: number): number {
  return kind === without || kind === 'remark' ? 0 : number;
}

/** markWords pairs each run of removed lines, from one line on, with the added ones after it. */
function markWords(lines: DiffLine[], from: number): void {
  let i = from;
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
  while (
    until > 0 &&
    word(a[a.length - until]) &&
    (word(a[a.length - until - 1]) || word(b[b.length - until - 1]))
  )
    until--;
  return [from, until];
}

function word(c: string | undefined): boolean {
  return c !== undefined && /[\w$]/.test(c);
}

/** markPair marks what differs, where enough is the same to compare. */
function markPair(del: DiffLine, add: DiffLine): void {
  const [from, until] = shared(del.text, add.text);
  const same =
    del.text.slice(0, from).trim().length + del.text.slice(del.text.length - until).trim().length;
  if (same * 3 < Math.max(del.text.trim().length, add.text.trim().length)) return;
  del.mark = [from, del.text.length - until];
  add.mark = [from, add.text.length - until];
}
