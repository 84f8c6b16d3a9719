import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { bandOf, pieceAt } from './band';

const mark = (runId: string, kind: beckon.EntryKind, at: number, pos: number, text = '') => ({
  runId,
  kind,
  at,
  pos,
  part: 0,
  text,
});

test('turns go from a message to a result, and waits from a question to its answer', () => {
  const pieces = bandOf(
    [{ id: 'a', started: 0, ended: 1000 }],
    [
      mark('a', 'user', 10, 1, 'Mend it'),
      mark('a', 'question', 200, 2, 'Keep Span?'),
      mark('a', 'turn', 500, 3),
      mark('a', 'user', 700, 4, 'And this'),
      mark('a', 'notice', 800, 5, 'overloaded'),
      mark('a', 'turn', 1000, 6),
    ],
    [{ runId: 'a', asked: 201, settled: 301, settlement: 'answered' }],
    5000,
  );
  expect(
    pieces.map(({ kind, from, size, number, text, place }) => [
      kind,
      from,
      size,
      number,
      text,
      place?.pos,
    ]),
  ).toEqual([
    ['turn', 0, 50, 1, 'Mend it', 1],
    ['wait', 20.1, 10, 0, 'Keep Span?', 2],
    ['turn', 70, 30, 2, 'And this', 4],
    ['error', 80, 0, 0, 'overloaded', 5],
  ]);
});

test('times between runs take no room, and what goes on reaches the end', () => {
  const pieces = bandOf(
    [
      { id: 'a', started: 0, ended: 300 },
      { id: 'b', started: 10_000, ended: 0 },
    ],
    [mark('a', 'turn', 300, 1), mark('b', 'user', 10_000, 1)],
    [{ runId: 'b', asked: 10_050, settled: 0, settlement: 'open' }],
    10_100,
  );
  expect(pieces.map(({ kind, now, number }) => [kind, now, number])).toEqual([
    ['turn', false, 1],
    ['turn', true, 2],
    ['wait', true, 0],
  ]);
  expect(pieces[1]!.from).toBeGreaterThan(pieces[0]!.from + pieces[0]!.size);
  const [, turn, wait] = pieces;
  expect(turn!.from + turn!.size).toBeCloseTo(100);
  expect(wait!.from + wait!.size).toBeCloseTo(100);
});

test('a run without a mark is one turn, and a question without a place leads nowhere', () => {
  const [turn, wait] = bandOf(
    [{ id: 'a', started: 0, ended: 100 }],
    [],
    [{ runId: 'a', asked: 50, settled: 500, settlement: 'expired' }],
    1000,
  );
  expect(turn).toMatchObject({ from: 0, size: 100, now: false, place: undefined });
  expect(wait).toMatchObject({ from: 50, size: 50, assumed: true, place: undefined });
});

test('many runs stay within the band', () => {
  const runs = [...Array(200).keys()].map((i) => ({ id: `${i}`, started: i, ended: i + 1 }));
  const last = bandOf(runs, [], [], 1000).at(-1)!;
  expect(last.from + last.size).toBeCloseTo(100);
});

test('a press is meant for a wait or an error before the turn that it is in, else for what is nearest', () => {
  const piece = (kind: 'turn' | 'wait' | 'error', from: number, size: number) => ({
    ...{ kind, from, size, at: 0, ms: 0, now: false, assumed: false, number: 0, text: '' },
    place: undefined,
  });
  const pieces = [
    piece('turn', 0, 50),
    piece('wait', 20, 10),
    piece('turn', 60, 40),
    piece('error', 80, 0),
  ];
  expect([5, 25, 31, 40, 52, 58, 79, 90].map((spot) => pieceAt(pieces, spot, 2))).toEqual([
    0, 1, 1, 0, 0, 2, 3, 2,
  ]);
});
