// When a task's runs did what, as events on one axis on which times between runs take no room,
// and what had been done by a moment.

import type { beckon } from '../bridge';
import { isUnasked } from '../question/words';
import type { Place } from '../state';

export type TimeKind = 'turn' | 'call' | 'wait' | 'beside' | 'commit' | 'moment';

export interface TimeEvent {
  kind: TimeKind;
  /** When it began and ended, in Unix milliseconds; the same for what takes no time. */
  at: number;
  end: number;
  /** Where it begins and how long it is, in hundredths of the axis. */
  from: number;
  size: number;
  /** Where it is in the session; undefined where that is not known. */
  place: Place | undefined;
  /** It goes on. */
  now: boolean;
  failed: boolean;
  /** A wait that nobody answered. */
  assumed: boolean;
  /** Of a call: what it does. */
  verb: beckon.Verb | undefined;
  /** Of a turn and its end: which one of which run. */
  turn: number;
  run: number;
  /** Of a turn: what it took, and how high its cost is, 0 to 1. */
  tokens: number;
  costUsd: number;
  high: number;
  text: string;
}

type Asked = Pick<beckon.Question, 'id' | 'runId' | 'asked' | 'settled' | 'settlement' | 'why'>;

/** What lies between two runs, in hundredths of the axis, and how much all of that may take. */
const gap = 0.6;
const gaps = 40;

/** The axis of a task's time. */
export class Axis {
  readonly #runs: { from: number; to: number; left: number; width: number }[];

  constructor(runs: readonly Pick<beckon.TimelineRun, 'from' | 'to'>[], now: number) {
    const all = runs.map(({ from, to }) => ({ from, to: Math.max(from + 1, to || now) }));
    const sum = all.reduce((ms, { from, to }) => ms + to - from, 0);
    const between = Math.min(gap, gaps / Math.max(1, runs.length - 1));
    const scale = (100 - between * Math.max(0, runs.length - 1)) / Math.max(1, sum);
    let left = 0;
    this.#runs = all.map(({ from, to }) => {
      const run = { from, to, left, width: (to - from) * scale };
      left += run.width + between;
      return run;
    });
  }

  /** Where a moment is, in hundredths: one between two runs is at the end of the earlier one. */
  spot(at: number): number {
    const run = this.#runs.findLast(({ from }) => from <= at) ?? this.#runs[0];
    if (!run) return 0;
    const within = Math.min(Math.max(at, run.from), run.to) - run.from;
    return run.left + (within / (run.to - run.from)) * run.width;
  }

  /** The moment at a spot. */
  moment(spot: number): number {
    const run = this.#runs.findLast(({ left }) => left <= spot) ?? this.#runs[0];
    if (!run) return 0;
    const part = Math.min(1, Math.max(0, (spot - run.left) / run.width));
    return Math.round(run.from + part * (run.to - run.from));
  }

  /** Moments for words below the axis, so many at most. */
  marks(most: number): number[] {
    return Array.from({ length: most }, (_, i) => this.moment((100 * i) / most));
  }
}

/** What changes when more is known of a task's time. */
export function beatOf(
  runs: readonly Pick<beckon.Run, 'id' | 'turns' | 'ended'>[],
  questions: readonly Pick<beckon.Question, 'settlement'>[],
): string {
  return (
    runs.map(({ id, turns, ended }) => `${id} ${turns} ${ended}`).join() +
    questions.map(({ settlement }) => settlement).join()
  );
}

/** Runs that reach to what was recorded of their files last. */
function reaching({ runs, moments }: beckon.Timeline): beckon.TimelineRun[] {
  return runs.map((run, i) => {
    if (run.to === 0) return run;
    const last = moments.findLast(({ runId }) => runId === run.runId)?.at ?? 0;
    return { ...run, to: Math.max(run.to, Math.min(last, runs[i + 1]?.from ?? last)) };
  });
}

/**
 * All events in the order of time; a turn comes before what begins with it. Turns begin when their
 * files were recorded: the log knows times to the second only, and what stands there before that is
 * moved to it.
 */
export function eventsOf(
  line: beckon.Timeline,
  questions: readonly Asked[],
  textOf: (id: string) => string,
  now: number,
): { axis: Axis; events: TimeEvent[] } {
  const axis = new Axis(reaching(line), now);
  const plain = {
    place: undefined,
    now: false,
    failed: false,
    assumed: false,
    verb: undefined,
    turn: 0,
    run: 0,
    tokens: 0,
    costUsd: 0,
    high: 0,
    text: '',
  };
  const timed = (kind: TimeKind, at: number, end: number, rest: Partial<TimeEvent>): TimeEvent => {
    const from = axis.spot(at);
    return { ...plain, kind, at, end, from, size: Math.max(0, axis.spot(end) - from), ...rest };
  };
  const dearest = Math.max(0, ...line.runs.flatMap((run) => run.turns.map(worth)));
  const begun: number[] = [];
  const events = line.runs.flatMap((run) => {
    const end = run.to || now;
    const moments = line.moments.filter(({ runId }) => runId === run.runId);
    const when = (which: beckon.TimelineMoment['kind']) =>
      new Map(moments.filter(({ kind }) => kind === which).map(({ turn, at }) => [turn, at]));
    const [recorded, over] = [when('turnBegan'), when('turnEnded')];
    let nth = 0;
    const began = run.turns.map((turn) => {
      nth = turn.number || nth + 1;
      const at = recorded.get(nth) ?? turn.from;
      const to = turn.to && Math.max(turn.to, over.get(nth) ?? 0);
      return { turn: nth, at, end: Math.max(at, to || end), pos: turn.pos };
    });
    begun.push(...began.map(({ at }) => at));
    // When something of the log was, of things in the log's order.
    const moved = () => {
      let of = 0;
      return (pos: number, at: number) => {
        while (began[of + 1] && began[of + 1]!.pos < pos) of++;
        return Math.max(at, began[of] && began[of]!.pos < pos ? began[of]!.at : at);
      };
    };
    const called = moved();
    const calls = run.calls.map((call) => ({ ...call, at: called(call.pos, call.at) }));
    const spelled = moved();
    const place = ({ pos, part }: { pos: number; part: number }): Place => ({
      runId: run.runId,
      pos,
      part,
    });
    return [
      ...run.turns.map((turn, i) =>
        timed('turn', began[i]!.at, began[i]!.end, {
          failed: turn.failed,
          tokens: turn.tokens,
          costUsd: turn.costUsd,
          text: turn.text,
          turn: began[i]!.turn,
          run: run.number,
          now: turn.to === 0 && run.to === 0,
          high: dearest > 0 ? worth(turn) / dearest : 0,
          place: place(turn),
        }),
      ),
      ...calls.map((call) =>
        timed('call', call.at, call.at, {
          verb: call.verb,
          failed: call.failed,
          place: place(call),
        }),
      ),
      ...run.beside.map((spell) => {
        const from = spelled(spell.pos, spell.from);
        return timed('beside', from, Math.max(from, spell.to), { place: place(spell) });
      }),
      ...questions
        .filter((question) => question.runId === run.runId && !isUnasked(question))
        .map((question) => {
          const call = nearest(calls, question.asked);
          return timed('wait', question.asked, question.settled || end, {
            now: question.settlement === 'open',
            assumed: question.settlement === 'expired',
            text: textOf(question.id),
            place: call && place(call),
          });
        }),
      ...moments
        .filter(({ kind }) => kind === 'turnEnded')
        .map(({ at, turn }) => timed('moment', at, at, { turn, run: run.number })),
    ];
  });
  if (line.runs.length > 0)
    events.push(
      ...line.commits.map((commit) => {
        // Git knows the second too, and no more.
        const at = begun.find((one) => one > commit.at && one < commit.at + 1000) ?? commit.at;
        return timed('commit', at, at, { text: `${commit.hash.slice(0, 7)} ${commit.subject}` });
      }),
    );
  const order: TimeKind[] = ['moment', 'turn', 'call', 'wait', 'beside', 'commit'];
  events.sort((a, b) => a.at - b.at || order.indexOf(a.kind) - order.indexOf(b.kind));
  return { axis, events };
}

/** What a turn's bar is as high as: its cost, or its tokens where no price is known. */
function worth(turn: Pick<beckon.TimelineTurn, 'costUsd' | 'tokens'>): number {
  return turn.costUsd > 0 ? turn.costUsd : turn.tokens / 1e9; // far below any cost
}

function nearest<C extends { at: number }>(calls: readonly C[], at: number): C | undefined {
  return calls.reduce<C | undefined>(
    (best, call) => (best && Math.abs(best.at - at) <= Math.abs(call.at - at) ? best : call),
    undefined,
  );
}

/** The index of the last event that has begun by a moment; -1 where none has. */
export function eventAt(events: readonly TimeEvent[], at: number): number {
  return events.findLastIndex((event) => event.at <= at);
}

/** The moment to go to from one, `by` events on; undefined is now, behind the last one. */
export function stepOf(
  events: readonly TimeEvent[],
  at: number | undefined,
  by: 1 | -1,
  kind?: TimeKind,
): number | undefined {
  const among = kind ? events.filter((event) => event.kind === kind) : events;
  if (by > 0) return at === undefined ? undefined : among.find((event) => event.at > at)?.at;
  if (at === undefined) return among.at(-1)?.at;
  return among.findLast((event) => event.at < at)?.at ?? among[0]?.at;
}

/** What had been done by a moment. */
export function doneBy(
  events: readonly TimeEvent[],
  at: number,
): { turn: number; turns: number; call: number; calls: number; tokens: number; costUsd: number } {
  const sum = { turn: 0, turns: 0, call: 0, calls: 0, tokens: 0, costUsd: 0 };
  for (const event of events) {
    if (event.kind === 'turn') {
      sum.turns++;
      if (event.at <= at) sum.turn++;
      if (event.end <= at) {
        sum.tokens += event.tokens;
        sum.costUsd += event.costUsd;
      }
    } else if (event.kind === 'call') {
      sum.calls++;
      if (event.at <= at) sum.call++;
    }
  }
  return sum;
}
