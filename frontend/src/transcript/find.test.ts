// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { api, BeckonError, type beckon } from '../bridge';
import { codeOf, hasCode, markdownOf, turnOf } from './copying';
import { patternOf, rangesIn } from './find';
import { Finder } from './finder.svelte';
import type { Place } from '../state';

const entry = (pos: number, text: string, kind: beckon.EntryKind = 'text'): beckon.Entry => ({
  id: `e${pos}`,
  runId: 'r',
  pos,
  part: 0,
  kind,
  parent: '',
  text,
  notice: '',
  at: 0,
});
const hit = (pos: number) =>
  ({
    taskId: 't',
    runId: 'r',
    pos,
    part: 0,
    kind: 'text',
    snippet: '',
    marks: [],
    at: 0,
  }) as beckon.Hit;
const went: number[] = [];
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));

function finder(entries: beckon.Entry[], here?: Place): Finder {
  went.length = 0;
  return new Finder({
    taskId: 't',
    entries: () => entries,
    number: () => 1,
    here: () => here,
    go: ({ pos }) => went.push(pos),
  });
}

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(api, 'search').mockResolvedValue({ hits: [], elsewhere: [], before: '', behind: 0 });
});

test('words are found in any case, however they are spaced, and are no pattern of their own', () => {
  const found = (text: string, query: string) => text.match(patternOf(query)!)?.length ?? 0;
  expect(found('A.b a.B axb', 'a.b')).toBe(2);
  expect(found('two\n  words', 'two words')).toBe(1);
  expect(found('(((', '((')).toBe(1);
  expect(patternOf('  ')).toBeNull();
});

test('a word that is drawn in pieces is marked as one', () => {
  document.body.innerHTML = '<p>let <b>plan</b><i>Ran</i>ges</p><p>planranges</p>';
  const ranges = rangesIn(document.body, patternOf('planranges')!);
  expect(ranges.map(String)).toEqual(['planRanges', 'planranges']);
});

test('who looks for something is led on from where they are, around the end, and back', () => {
  const f = finder([entry(1, 'a'), entry(2, 'b'), entry(3, 'a'), entry(4, 'a')], {
    runId: 'r',
    pos: 2,
  });
  f.look('a');
  f.step(1);
  f.step(1);
  f.step(-1);
  expect(went).toEqual([3, 4, 1, 4]);
  expect([f.at + 1, f.places.length]).toEqual([3, 3]);
});

test('what is not loaded is found too, and what is, only where it stands so', async () => {
  vi.mocked(api.search).mockResolvedValue({
    hits: [hit(900), hit(12), hit(3)],
    elsewhere: [],
    before: '',
    behind: 2,
  });
  const f = finder([entry(10, 'x'), entry(20, 'word')], { runId: 'r', pos: 10 });
  f.look('word');
  await settled();
  expect(f.places.map((p) => p.pos)).toEqual([3, 20, 900]);
  expect([f.current?.pos, f.short]).toEqual([20, 'behind']);
});

test('the index is asked again until it has read everything, and no longer once nobody looks', async () => {
  vi.useFakeTimers();
  try {
    vi.mocked(api.search).mockResolvedValue({
      hits: [hit(3)],
      elsewhere: [],
      before: '',
      behind: 1,
    });
    const f = finder([entry(10, 'x')], { runId: 'r', pos: 10 });
    f.look('word');
    await vi.advanceTimersByTimeAsync(200);
    expect([f.places.length, f.short]).toEqual([1, 'behind']);
    vi.mocked(api.search).mockResolvedValue({
      hits: [hit(4), hit(3)],
      elsewhere: [],
      before: '',
      behind: 0,
    });
    await vi.advanceTimersByTimeAsync(1100);
    expect([f.places.length, f.short]).toEqual([2, '']);
    vi.mocked(api.search)
      .mockResolvedValue({ hits: [], elsewhere: [], before: '', behind: 1 })
      .mockClear();
    f.look('other');
    await vi.advanceTimersByTimeAsync(200);
    f.end();
    await vi.advanceTimersByTimeAsync(5000);
    expect(api.search).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a line that turns out to be part of another entry is not counted when it is seen', async () => {
  vi.mocked(api.search).mockResolvedValue({
    hits: [hit(3), hit(2)],
    elsewhere: [],
    before: '',
    behind: 0,
  });
  const entries = [entry(10, 'x')];
  const f = finder(entries, { runId: 'r', pos: 10 });
  f.look('word');
  await settled();
  expect([went.at(-1), f.at + 1, f.places.length]).toEqual([3, 2, 2]);
  entries.unshift(entry(1, 'x'), entry(2, 'word'), entry(4, 'y'));
  f.gather();
  expect([f.at + 1, f.places.length]).toEqual([1, 1]);
});

test('a reply to what is no longer looked for changes nothing', async () => {
  let late = () => {};
  vi.mocked(api.search).mockImplementationOnce(
    () =>
      new Promise(
        (resolve) =>
          (late = () => resolve({ hits: [hit(1)], elsewhere: [], before: '', behind: 0 })),
      ),
  );
  const f = finder([]);
  f.look('first');
  await settled();
  f.look('second');
  late();
  await settled();
  expect(f.places).toEqual([]);
});

test('without an index the entries loaded are looked through, and it is said', async () => {
  vi.mocked(api.search).mockRejectedValue(new BeckonError('unavailable', 'no'));
  const f = finder([entry(1, 'word')]);
  f.look('word');
  await settled();
  expect([f.places.length, f.short]).toEqual([1, 'partly']);
});

test('a turn is copied from what was said to what is said next, with what was done', () => {
  const tool = {
    useId: 'u',
    name: 'Bash',
    target: 'echo `x`',
    diff: '',
    result: 'a\n```\n',
  } as beckon.ToolCall;
  const entries = [
    entry(1, 'before', 'user'),
    entry(2, 'Do it', 'user'),
    { ...entry(3, '', 'tool'), tool },
    entry(4, 'Done.'),
    entry(5, 'next', 'user'),
  ];
  expect(markdownOf(turnOf(entries, entries[3]!))).toBe(
    '> **You:** Do it\n\n**Bash** `` echo `x` ``\n\n````\na\n```\n````\n\nDone.',
  );
});

test('code is copied without its fences and the words around it', () => {
  const row = {
    kind: 'text',
    id: 'x',
    depth: 0,
    entry: entry(1, 'See:\n```go\na := 1\n```\nand\n~~~\nb\n~~~\nend'),
  } as const;
  expect([hasCode(row), codeOf(row)]).toEqual([true, 'a := 1\nb']);
  expect(hasCode({ ...row, entry: entry(1, 'words') })).toBe(false);
});
