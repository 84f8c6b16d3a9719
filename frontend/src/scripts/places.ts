// Where a command's output names a line of a file, so that it can be opened there.
import type { beckon } from '../bridge';
import { within } from '../text/paths';

/** A stretch of the output, and the line that it names. */
export interface Piece {
  text: string;
  at?: beckon.DiffSpot;
}

/** A longer line is data, and names nothing. */
const longest = 1000;
/** So many places are links; those before them are left as text. */
const most = 1000;

const name = String.raw`(?:[A-Za-z]:)?[/\\]?[\w@+~.-]+(?:[/\\][\w@+~.-]+)*\.[A-Za-z]\w*`;
/** "file.go:12:3" as compilers and stack traces have it, "file.ts(12,3)" as tsc, and Python's own. It begins where a word does, so that each is tried once. */
const place = new RegExp(
  String.raw`(?<![\w@+~.:/\\-])(${name})(?::(\d+)(?::\d+)?|\((\d+),\d+\))|File "([^"\n]+)", line (\d+)`,
  'g',
);

/** piecesOf splits an output at the places in files of a folder that it names. */
export function piecesOf(text: string, folder: string): Piece[] {
  const found: { from: number; to: number; at: beckon.DiffSpot }[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    if (line.length <= longest) {
      for (const match of line.matchAll(place)) {
        const path = inside(match[1] ?? match[4]!, folder);
        const number = Number(match[2] ?? match[3] ?? match[5]);
        const from = start + match.index;
        if (path !== '' && number > 0)
          found.push({ from, to: from + match[0].length, at: { path, line: number } });
      }
    }
    start += line.length + 1;
  }
  return split(text, found.slice(-most));
}

function split(text: string, found: { from: number; to: number; at: beckon.DiffSpot }[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { from, to, at } of found) {
    if (from > end) pieces.push({ text: text.slice(end, from) });
    pieces.push({ text: text.slice(from, to), at });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** A path as the folder has it; empty where it leads out of it. */
function inside(path: string, folder: string): string {
  const own = within(path, [folder])
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  return /^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(own) ? '' : own;
}
