import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { Axis, doneBy, eventAt, eventsOf, stepOf } from './timeline';

const turn = (pos: number, from: number, to: number, costUsd = 0): beckon.TimelineTurn => ({
  pos,
  part: 0,
  number: 1,
  from,
  to,
  failed: false,
  tokens: 10,
  costUsd,
  text: 'Go on',
});

const line: beckon.Timeline = {
  runs: [
    {
      runId: 'r1',
      number: 1,
      from: 1000,
      to: 2000,
      turns: [turn(0, 1000, 1900, 0.4)],
      calls: [
        { pos: 1, part: 0, at: 1200, verb: 'editing', failed: false },
        { pos: 3, part: 0, at: 1500, verb: 'asking', failed: true },
      ],
      beside: [{ pos: 1, part: 0, from: 1200, to: 1400 }],
      more: 0,
    },
    {
      runId: 'r2',
      number: 2,
      from: 9000,
      to: 0,
      turns: [turn(0, 9000, 0)],
      calls: [],
      beside: [],
      more: 0,
    },
  ],
  moments: [],
  lost: [],
  commits: [{ hash: '3f2c1a9aaaa', subject: 'Fix', at: 1950 }],
};

const questions = [
  { id: 'q', runId: 'r1', asked: 1500, settled: 1700, settlement: 'answered' as const },
  { id: 'p', runId: 'r2', asked: 9900, settled: 0, settlement: 'open' as const },
];

const made = () => eventsOf(line, questions, (id) => `asks ${id}`, 10_000);

test('times between runs take no room on the axis, and each spot has its moment', () => {
  const axis = new Axis(line.runs, 10_000);
  expect(axis.spot(1000)).toBe(0);
  expect(axis.spot(10_000)).toBeCloseTo(100);
  expect(axis.spot(5000)).toBe(axis.spot(2000));
  expect(axis.spot(9000) - axis.spot(2000)).toBeCloseTo(0.6);
  for (const at of [1000, 1300, 2000, 9000, 9500, 10_000])
    expect(axis.moment(axis.spot(at))).toBe(at);
  expect(new Axis([], 0).moment(50)).toBe(0);
});

test('events have their places, and the wait that goes on reaches the end', () => {
  const { events } = made();
  expect(events.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'turn 1000',
    'call 1200',
    'beside 1200',
    'call 1500',
    'wait 1500',
    'commit 1950',
    'turn 9000',
    'wait 9900',
  ]);
  expect(events[4]).toMatchObject({ text: 'asks q', place: { runId: 'r1', pos: 3 }, now: false });
  expect(events[7]).toMatchObject({ now: true, end: 10_000, place: undefined });
  expect(events[0]).toMatchObject({ turn: 1, run: 1, high: 1, costUsd: 0.4, now: false });
  expect(events[6]).toMatchObject({ turn: 1, run: 2, now: true });
  expect(events[5]!.text).toBe('3f2c1a9 Fix');
  for (const { from, size } of events) expect(from + size).toBeLessThanOrEqual(100.001);
});

test('steps go from event to event, and behind the last one is now', () => {
  const { events } = made();
  expect(stepOf(events, undefined, 1)).toBeUndefined();
  expect(stepOf(events, undefined, -1)).toBe(9900);
  expect(stepOf(events, 9900, 1)).toBeUndefined();
  expect(stepOf(events, 1200, -1)).toBe(1000);
  expect(stepOf(events, 1000, -1)).toBe(1000);
  expect(stepOf(events, 1000, 1, 'wait')).toBe(1500);
  expect(events[eventAt(events, 1600)]).toMatchObject({ kind: 'wait' });
  expect(eventAt(events, 0)).toBe(-1);
});

test('a turn begins when its files were recorded, and its end is a stop of its own', () => {
  const moment = (kind: 'turnBegan' | 'turnEnded', runId: string, at: number) => ({
    kind,
    runId,
    at,
    turn: 1,
    questionId: '',
    mixed: false,
  });
  const recorded = {
    ...line,
    commits: [...line.commits, { hash: 'f00', subject: 'In the second of the turn', at: 1000 }],
    moments: [
      moment('turnBegan', 'r1', 1350),
      moment('turnEnded', 'r1', 2150),
      moment('turnBegan', 'r2', 9400),
    ],
  };
  const { axis, events } = eventsOf(recorded, [], () => '', 10_000);
  expect(events.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'turn 1350',
    'call 1350',
    'beside 1350',
    'commit 1350',
    'call 1500',
    'commit 1950',
    'moment 2150',
    'turn 9400',
  ]);
  expect(events[0]).toMatchObject({ end: 2150, turn: 1 });
  expect(stepOf(events, 1950, 1)).toBe(2150);
  expect(axis.moment(axis.spot(2150))).toBe(2150);
});

test('what had been done by a moment is counted', () => {
  const { events } = made();
  expect(doneBy(events, 1300)).toEqual({
    turn: 1,
    turns: 2,
    call: 1,
    calls: 2,
    tokens: 0,
    costUsd: 0,
  });
  expect(doneBy(events, 1900)).toMatchObject({ call: 2, tokens: 10, costUsd: 0.4 });
});
