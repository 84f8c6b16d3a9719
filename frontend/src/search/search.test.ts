import { beforeEach, expect, test, vi } from 'vitest';
import { api, BeckonError, type beckon } from '../bridge';
import { groupsOf, piecesOf } from './hits';
import { Searching } from './searching.svelte';

const hit = (pos: number, with_: Partial<beckon.Hit> = {}) =>
  ({
    taskId: 't',
    runId: 'r',
    pos,
    part: 0,
    kind: 'text',
    snippet: '',
    marks: [],
    at: 0,
    ...with_,
  }) as beckon.Hit;
const page = (hits: beckon.Hit[], before = '', behind = 0): beckon.SearchPage => ({
  hits,
  elsewhere: [],
  before,
  behind,
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.restoreAllMocks();
  vi.spyOn(api, 'search').mockResolvedValue(page([]));
});

async function rest() {
  await vi.advanceTimersByTimeAsync(200);
}

test('words are marked where they stand, and nothing in them is markup or hides', () => {
  const pieces = (snippet: string, marks: number[]) =>
    piecesOf(hit(1, { snippet, marks }))
      .map(({ text, marked }) => (marked ? `[${text}]` : text))
      .join('');
  expect(pieces('<b>one</b>\n two\u202e', [3, 6])).toBe('<b>[one]</b> two⟨U+202E⟩');
  expect(pieces('😀 word', [3, 7])).toBe('😀 [word]');
  expect(pieces('abc', [2, 1, 1, 2, 0, 9, 1, 3])).toBe('a[b]c');
});

test('hits of a task stand below its name, in the order in which they were found', () => {
  const hits = [hit(3), hit(2), hit(9, { taskId: 'u' }), hit(1)];
  expect(groupsOf(hits).map(({ taskId, first, hits }) => [taskId, first, hits.length])).toEqual([
    ['t', 0, 2],
    ['u', 2, 1],
    ['t', 3, 1],
  ]);
});

test('Beckon is asked when typing rests, and only for the last word', async () => {
  const s = new Searching();
  for (const text of ['r', 'ra', 'ran', 'rang']) s.type(text);
  await rest();
  expect(api.search).toHaveBeenCalledTimes(1);
  expect(api.search).toHaveBeenCalledWith(
    expect.objectContaining({ text: 'rang', projectId: '', taskId: '', kind: '', before: '' }),
  );
});

test('a reply that comes too late is not shown', async () => {
  let late = () => {};
  vi.mocked(api.search).mockImplementationOnce(
    () => new Promise((resolve) => (late = () => resolve(page([hit(1)])))),
  );
  vi.mocked(api.search).mockResolvedValue(page([hit(2)]));
  const s = new Searching();
  s.type('first');
  await rest();
  s.type('second');
  await rest();
  late();
  await rest();
  expect(s.hits.map((h) => h.pos)).toEqual([2]);
});

test('older hits are read on from where the page ended, and the chosen one stays chosen', async () => {
  vi.mocked(api.search)
    .mockResolvedValueOnce(page([hit(9), hit(8)], 'c1', 3))
    .mockResolvedValueOnce(page([hit(7)]));
  const s = new Searching();
  s.type('word');
  await rest();
  s.step(5, s.hits.length);
  expect([s.at, s.more, s.behind]).toEqual([1, true, 3]);
  await s.older();
  expect(api.search).toHaveBeenLastCalledWith(expect.objectContaining({ before: 'c1' }));
  expect([s.hits.map((h) => h.pos), s.at, s.more]).toEqual([[9, 8, 7], 1, false]);
});

test('a place that is found twice is shown once', async () => {
  vi.mocked(api.search)
    .mockResolvedValueOnce(page([hit(9), hit(9), hit(8)], 'c'))
    .mockResolvedValueOnce(page([hit(8), hit(7)]));
  const s = new Searching();
  s.type('word');
  await rest();
  await s.older();
  expect(s.hits.map((h) => h.pos)).toEqual([9, 8, 7]);
});

test('what the index does not know yet is found as soon as it does', async () => {
  vi.mocked(api.search)
    .mockResolvedValueOnce(page([], '', 2))
    .mockResolvedValueOnce(page([hit(4)]));
  const s = new Searching();
  s.type('word');
  await rest();
  expect([s.hits.length, s.behind, s.busy]).toEqual([0, 2, false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([s.hits.map((h) => h.pos), s.behind]).toEqual([[4], 0]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(api.search).toHaveBeenCalledTimes(2);
});

test('a search that nobody sees looks no more on its own, and again when it is seen', async () => {
  vi.mocked(api.search).mockResolvedValue(page([], '', 2));
  const s = new Searching();
  s.type('word');
  await rest();
  s.pause();
  await vi.advanceTimersByTimeAsync(5000);
  expect(api.search).toHaveBeenCalledTimes(1);
  s.look();
  await rest();
  expect(api.search).toHaveBeenCalledTimes(2);
});

test('a search that fails keeps the words, says so, and can be tried again', async () => {
  vi.mocked(api.search).mockRejectedValueOnce(new BeckonError('unavailable', 'no'));
  const s = new Searching();
  s.type('word');
  await rest();
  expect([s.failure?.code, s.busy]).toEqual(['unavailable', false]);
  s.again();
  await rest();
  expect([s.failure, s.text]).toEqual([undefined, 'word']);
});

test('who wipes the field sees nothing of what was found before', async () => {
  vi.mocked(api.search).mockResolvedValue(page([hit(1)]));
  const s = new Searching();
  s.type('word');
  await rest();
  s.type(' ');
  await rest();
  expect([s.hits, s.busy]).toEqual([[], false]);
});
