// What was found, as it is shown.

import type { beckon } from '../bridge';
import { plain } from '../text/plain';

/** Piece is a part of a snippet; a marked one is what was looked for. */
export interface Piece {
  text: string;
  marked: boolean;
}

/** piecesOf cuts a snippet at its marks. Marks that do not fit it are left out. */
export function piecesOf({ snippet, marks }: beckon.Hit): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (to: number, marked: boolean) => {
    const text = plain(snippet.slice(at, to)).replace(/\s+/g, ' ');
    if (text) pieces.push({ text, marked });
    at = to;
  };
  for (let i = 0; i + 1 < marks.length; i += 2) {
    const [from, to] = [marks[i]!, marks[i + 1]!];
    if (from < at || to <= from || to > snippet.length) continue;
    add(from, false);
    add(to, true);
  }
  add(snippet.length, false);
  return pieces;
}

/** Group is hits of one task that follow one another. */
export interface Group {
  taskId: string;
  /** The place of its first hit among all. */
  first: number;
  hits: beckon.Hit[];
}

/** groupsOf puts hits of one task below one head, without changing their order. */
export function groupsOf(hits: beckon.Hit[]): Group[] {
  const groups: Group[] = [];
  for (const [i, hit] of hits.entries()) {
    const last = groups.at(-1);
    if (last?.taskId === hit.taskId) last.hits.push(hit);
    else groups.push({ taskId: hit.taskId, first: i, hits: [hit] });
  }
  return groups;
}
