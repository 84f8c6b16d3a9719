// When a task's runs did what, as parts of one band: turns, and waits for the person. Times
// between runs take no room.

import type { beckon } from '../bridge';
import { isUnasked } from '../question/words';
import type { Place } from '../state';

export interface Piece {
  kind: 'turn' | 'wait' | 'error';
  /** Where it begins and how long it is, in hundredths of the band. */
  from: number;
  size: number;
  /** When it began and how long it took, in milliseconds. */
  at: number;
  ms: number;
  /** It goes on. */
  now: boolean;
  /** Nobody answered. */
  assumed: boolean;
  /** The number of a turn, counted through all runs. */
  number: number;
  text: string;
  /** Where it is in the session; undefined where that is not known. */
  place: Place | undefined;
}

type Run = Pick<beckon.Run, 'id' | 'started' | 'ended'>;
type Asked = Pick<beckon.Question, 'runId' | 'asked' | 'settled' | 'settlement' | 'why'>;

/** What lies between two runs, in hundredths of the band, and how much all of that may take. */
const gap = 0.6;
const gaps = 40;

/** The pieces in the order of time, a turn before the waits in it. */
export function bandOf(
  runs: readonly Run[],
  marks: readonly beckon.Landmark[],
  questions: readonly Asked[],
  now: number,
): Piece[] {
  const lengths = runs.map((run) => Math.max(1, (run.ended || now) - run.started));
  const all = lengths.reduce((sum, ms) => sum + ms, 0);
  const between = Math.min(gap, gaps / Math.max(1, runs.length - 1));
  const room = 100 - between * (runs.length - 1);
  let left = 0;
  let turns = 0;
  return runs.flatMap((run, i) => {
    const scale = room / all;
    const end = run.ended || now;
    const place = (from: number, to: number) => ({
      from: left + (from - run.started) * scale,
      size: Math.max(0, to - from) * scale,
      at: from,
      ms: Math.max(0, to - from),
    });
    const within = (at: number) => Math.min(Math.max(at, run.started), end);
    const mine = marks.filter(({ runId }) => runId === run.id);
    const pieces = [
      ...turnsOf(mine, run, end).map(({ from, to, mark }) => ({
        ...place(within(from), within(to ?? end)),
        kind: 'turn' as const,
        now: to === undefined && run.ended === 0,
        assumed: false,
        number: ++turns,
        text: mark?.text ?? '',
        place: mark && placeOf(mark),
      })),
      ...questions
        .filter((question) => question.runId === run.id && !isUnasked(question))
        .map((question) => {
          const mark = nearest(mine, question.asked);
          return {
            ...place(within(question.asked), within(question.settled || end)),
            kind: 'wait' as const,
            now: question.settlement === 'open',
            assumed: question.settlement === 'expired',
            number: 0,
            text: mark?.text ?? '',
            place: mark && placeOf(mark),
          };
        }),
      ...mine
        .filter(({ kind }) => kind === 'notice')
        .map((mark) => ({
          ...place(within(mark.at), within(mark.at)),
          kind: 'error' as const,
          now: false,
          assumed: false,
          number: 0,
          text: mark.text,
          place: placeOf(mark),
        })),
    ];
    left += lengths[i]! * scale + between;
    return pieces.sort((a, b) => a.from - b.from);
  });
}

/** The index of the piece at a spot of the band: the last of those that are not further than `near`, so that what is within a turn comes before it; else the nearest. */
export function pieceAt(pieces: readonly Piece[], spot: number, near: number): number {
  const away = ({ from, size }: Piece) => Math.max(from - spot, spot - from - size, 0);
  const within = pieces.findLastIndex((piece) => piece.kind !== 'turn' && away(piece) <= near);
  if (within >= 0) return within;
  return pieces.reduce((best, piece, i) => (away(piece) < away(pieces[best]!) ? i : best), 0);
}

interface Turn {
  from: number;
  /** Undefined of one that has no end yet. */
  to: number | undefined;
  /** What began it, or where its end is. */
  mark: beckon.Landmark | undefined;
}

/** A turn goes from a message, or from the beginning of a run, to its result. */
function turnsOf(marks: readonly beckon.Landmark[], run: Run, end: number): Turn[] {
  const turns: Turn[] = [];
  let open: Turn | undefined = { from: run.started, to: undefined, mark: undefined };
  for (const mark of marks) {
    if (mark.kind === 'user') {
      open ??= { from: mark.at, to: undefined, mark: undefined };
      open.mark ??= mark;
    } else if (mark.kind === 'turn') {
      // One that nobody's message began: background work came to its end.
      open ??= { from: turns.at(-1)?.to ?? run.started, to: undefined, mark: undefined };
      turns.push({ ...open, to: mark.at, mark: open.mark ?? mark });
      open = undefined;
    }
  }
  if (open && open.from < end) turns.push(open);
  return turns;
}

function nearest(marks: readonly beckon.Landmark[], at: number): beckon.Landmark | undefined {
  return marks
    .filter(({ kind }) => kind === 'question')
    .reduce<beckon.Landmark | undefined>(
      (best, mark) => (best && Math.abs(best.at - at) <= Math.abs(mark.at - at) ? best : mark),
      undefined,
    );
}

function placeOf({ runId, pos, part }: beckon.Landmark): Place {
  return { runId, pos, part };
}
