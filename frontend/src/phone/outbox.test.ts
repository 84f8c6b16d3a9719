import { beforeEach, expect, test } from 'vitest';
import { Outbox, outcomeOf, undoMs, type Outcome, type Said } from './outbox';
import type { Answered } from './types';

let stored: string;
let now: number;
let timers: { at: number; run: () => void }[];
let posted: string[];
let over: string[];
let away: boolean;
/** Answers posts in its own time, where a test wants that. */
let hang: ((outcome: Outcome) => void) | undefined;
let hanging = false;

function open(): Outbox {
  let busy = Promise.resolve();
  return new Outbox({
    read: () => JSON.parse(stored) as Said[],
    write: (all) => (stored = JSON.stringify(all)),
    post: (said) => {
      posted.push(said.id);
      if (hanging) return new Promise((done) => (hang = done));
      return Promise.resolve(away ? { is: 'away' } : { is: 'sent' });
    },
    alone: (run) => (busy = busy.then(run)),
    over: (said, outcome) => void over.push(`${said.id} ${outcome.is}`),
    now: () => now,
    later: (run, ms) => void timers.push({ at: now + ms, run }),
  });
}

beforeEach(() => {
  [stored, now, timers, posted, over, away, hanging, hang] = [
    '[]',
    1_000_000,
    [],
    [],
    [],
    false,
    false,
    undefined,
  ];
});

const said = (id: string) =>
  ({ id, kind: 'answer', path: `/${id}`, body: {}, key: 'KES-1', words: 'Yes' }) as const;
const settle = () => new Promise((done) => setTimeout(done));

async function pass(ms: number) {
  now += ms;
  for (const timer of timers.filter(({ at }) => at <= now)) timer.run();
  timers = timers.filter(({ at }) => at > now);
  await settle();
}

test('an answer leaves after the time to take it back, once', async () => {
  open().put(said('a'), null);
  await pass(undoMs - 1);
  expect(posted).toEqual([]);
  await pass(1);
  expect([posted, over, stored]).toEqual([['a'], ['a sent'], '[]']);
  await pass(undoMs);
  expect(posted).toEqual(['a']);
});

test('what is taken back in time never leaves', async () => {
  const outbox = open();
  outbox.put(said('a'), null);
  expect(outbox.undo('a')).toBe(true);
  await pass(undoMs);
  expect([posted, outbox.undo('a')]).toEqual([[], false]);
});

test('what is on the wire can no longer be taken back', async () => {
  hanging = true;
  const outbox = open();
  outbox.put(said('a'), null);
  await pass(undoMs);
  expect([posted, outbox.undo('a')]).toEqual([['a'], false]);
  hang!({ is: 'sent' });
  await settle();
  expect(stored).toBe('[]');
});

test('a second answer sends the first at once', async () => {
  const outbox = open();
  outbox.put(said('a'), null);
  outbox.put(said('b'), null);
  await settle();
  expect(posted).toEqual(['a']);
  await pass(undoMs);
  expect(posted).toEqual(['a', 'b']);
});

test('with little left on the clock an answer leaves at once', async () => {
  open().put(said('a'), 4999);
  await settle();
  expect(posted).toEqual(['a']);
});

test('an answer that changes before it left leaves once, as it was last', async () => {
  const outbox = open();
  outbox.put(said('a'), null);
  outbox.put({ ...said('a'), words: 'No' }, null);
  expect((JSON.parse(stored) as Said[]).map(({ words }) => words)).toEqual(['No']);
  await pass(undoMs);
  expect(posted).toEqual(['a']);
});

test('what Beckon did not take is kept, over a restart too, and sent once when it is back', async () => {
  away = true;
  const outbox = open();
  outbox.put(said('a'), null);
  outbox.put(said('b'), null);
  await pass(undoMs);
  expect([new Set(over), (JSON.parse(stored) as Said[]).length]).toEqual([new Set(['a away']), 2]); // in their order: the second waits for the first
  posted = [];
  away = false;
  await open().hurry();
  expect([posted, stored]).toEqual([['a', 'b'], '[]']);
});

test('leaving the page sends what could still be taken back', async () => {
  const outbox = open();
  outbox.put(said('a'), null);
  await outbox.hurry();
  expect(posted).toEqual(['a']);
});

test('two calls at once send nothing twice', async () => {
  const outbox = open();
  outbox.put(said('a'), null);
  now += undoMs;
  await Promise.all([outbox.flush(), outbox.flush(), outbox.hurry()]);
  expect(posted).toEqual(['a']);
});

const settled = (with_: Partial<Answered>): Answered => ({
  id: 'a',
  kind: 'ask',
  title: '',
  key: '',
  answer: '',
  verdict: '',
  by: 'user',
  byName: '',
  at: 0,
  mine: false,
  settlement: 'answered',
  unasked: false,
  ...with_,
});
const no = (status: number, code: string, one?: Answered) =>
  outcomeOf({ status, code, message: 'why', settled: one }).is;

test('an answer whose receipt was lost is not called late when it is sent again', () => {
  expect(no(409, 'conflict', settled({ mine: true }))).toBe('sent');
  expect(no(409, 'conflict', settled({}))).toBe('late');
  expect(no(409, 'conflict', settled({ mine: true, settlement: 'expired' }))).toBe('late');
  expect(no(404, 'not_found')).toBe('late');
});

test('what Beckon refuses while the question waits is no loss to somebody faster', () => {
  expect(no(409, 'conflict', settled({ settlement: 'open' }))).toBe('refused');
  expect(no(403, 'rights')).toBe('refused');
});
