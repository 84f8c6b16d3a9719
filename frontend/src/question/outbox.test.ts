import { beforeEach, expect, test } from 'vitest';
import { Outbox } from './outbox';

/** What the person gave themselves to take an answer back. */
const undoMs = 4000;

let posted: [string, string][];
let states: [string, string | undefined][];
let timers: Map<number, { run: () => void; ms: number }>;
let post: (id: string, a: string) => Promise<void>;
let box: Outbox<string>;

beforeEach(() => {
  posted = [];
  states = [];
  timers = new Map();
  let next = 1;
  post = () => Promise.resolve();
  box = new Outbox<string>({
    post: (id, a) => {
      posted.push([id, a]);
      return post(id, a);
    },
    conflict: (e) => e === 'conflict',
    changed: (id, state) => states.push([id, state]),
    timer: {
      set: (run, ms) => {
        timers.set(next, { run, ms });
        return next++;
      },
      clear: (id) => timers.delete(id),
    },
  });
});

function passTime() {
  for (const [id, { run }] of [...timers]) {
    timers.delete(id);
    run();
  }
}

test('an answer leaves in the moment of its key', () => {
  box.hold('q1', 'A', null, 0);
  expect(posted).toEqual([['q1', 'A']]);
  expect(states[0]).toEqual(['q1', 'sending']);
  expect(timers.size).toBe(0);
});

test('who wants a moment to take it back has that, and no less', () => {
  box.hold('q1', 'A', null, undoMs);
  expect(posted).toEqual([]);
  expect([...timers.values()].map((t) => t.ms)).toEqual([undoMs]);
  passTime();
  expect(posted).toEqual([['q1', 'A']]);
});

test('an answer taken back never leaves', () => {
  box.hold('q1', 'A', 60_000, undoMs);
  expect(box.undo('q1')).toBe(true);
  passTime();
  box.flush();
  expect(posted).toEqual([]);
  expect(states.at(-1)).toEqual(['q1', undefined]);
});

test('leaving the page sends what waits, once', () => {
  box.hold('q1', 'A', null, undoMs);
  box.flush();
  passTime();
  expect(posted).toEqual([['q1', 'A']]);
  expect(box.undo('q1')).toBe(false);
});

test('the next answer sends the one before', () => {
  box.hold('q1', 'A', null, undoMs);
  box.hold('q2', 'B', null, undoMs);
  expect(posted).toEqual([['q1', 'A']]);
  void box.send('q3', 'C');
  expect(posted).toEqual([
    ['q1', 'A'],
    ['q2', 'B'],
    ['q3', 'C'],
  ]);
});

test('with seconds left on the clock nothing waits to be taken back', () => {
  box.hold('q1', 'A', 4000, undoMs);
  expect(posted).toEqual([['q1', 'A']]);
  expect(timers.size).toBe(0);
});

test('a changed answer to the same question replaces the held one', () => {
  box.hold('q1', 'A', null, undoMs);
  void box.send('q1', 'B');
  passTime();
  expect(posted).toEqual([['q1', 'B']]);
});

test('a double press sends once', async () => {
  let done = () => {};
  post = () => new Promise<void>((resolve) => (done = resolve));
  const first = box.send('q1', 'A');
  void box.send('q1', 'A');
  done();
  await first;
  expect(posted).toEqual([['q1', 'A']]);
});

test('what could not be sent says so and can be sent again', async () => {
  post = () => Promise.reject(new Error('offline'));
  await box.send('q1', 'A');
  expect(states.at(-1)).toEqual(['q1', 'failed']);
  post = () => Promise.resolve();
  await box.send('q1', 'A');
  expect(states.at(-1)).toEqual(['q1', 'sent']);
});

test('a question that somebody else answered says so', async () => {
  post = () => Promise.reject('conflict');
  await box.send('q1', 'A');
  expect(states.at(-1)).toEqual(['q1', 'elsewhere']);
});
