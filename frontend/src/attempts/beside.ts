// A unified diff in two columns: what goes away at the left, what comes at the right.

import { type DiffLine, parseDiff } from '../text/diff';

/** Row: a line on each side, null where that side has none; or the head of a hunk. */
export type Row =
  { kind: 'lines'; left: DiffLine | null; right: DiffLine | null } | { kind: 'hunk'; text: string };

/** besides returns the rows of a unified diff; remarks of git's are left out. */
export function besides(diff: string): Row[] {
  const rows: Row[] = [];
  let gone: DiffLine[] = [];
  let come: DiffLine[] = [];
  const pair = () => {
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      rows.push({ kind: 'lines', left: gone[i] ?? null, right: come[i] ?? null });
    gone = [];
    come = [];
  };
  for (const line of parseDiff(diff)) {
    if (line.kind === 'del') gone.push(line);
    else if (line.kind === 'add') come.push(line);
    else if (line.kind !== 'remark') {
      pair();
      rows.push(
        line.kind === 'hunk'
          ? { kind: 'hunk', text: line.text }
          : { kind: 'lines', left: line, right: line },
      );
    }
  }
  pair();
  return rows;
}
