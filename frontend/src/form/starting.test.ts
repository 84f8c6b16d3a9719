import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { briefOf, Starting } from './starting.svelte';
import { blankStart, isItem, slug, sourceFor } from './starts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const branch = (name: string, more: Partial<beckon.FoundBranch> = {}): beckon.FoundBranch => ({
  name,
  remote: '',
  author: 'mira',
  at: 1,
  ahead: 0,
  behind: 0,
  dir: '',
  taskId: '',
  ...more,
});

const item = {
  kind: 'pull',
  number: 412,
  url: 'https://github.com/a/b/pull/412',
  title: 'Report',
  body: 'Why',
  tool: 'gh',
  comments: [{ author: 'lena', file: 'a.go', line: 7, text: 'Why\ntwice?' }],
  start: { ...blankStart(), kind: 'pull', number: 412, branch: 'missing' },
} as unknown as beckon.ForgeItem;

function choose(start = blankStart(), branches: beckon.FoundBranch[] = []) {
  const asked: string[] = [];
  const choice = new Starting(
    {
      branches: () => Promise.resolve({ here: 2, onRemote: 1, branches }),
      item: (typed) => (asked.push(typed), Promise.resolve(item)),
      pulls: () => (asked.push('pulls'), Promise.resolve([item])),
    },
    start,
  );
  return { choice, asked };
}

test('what is typed or pasted says which kind it is', () => {
  expect(
    ['', '#', '#412', '!3', 'https://x.y/pull/1', 'KES-50', 'part'].map((text) => sourceFor(text)),
  ).toEqual([undefined, 'forge', 'forge', 'forge', 'forge', 'task', 'branch']);
  expect(['#', '#412', 'https://x.y/a/pull/1/files', 'https://x.y'].map(isItem)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a number is asked for once, after typing rests', async () => {
  const { choice, asked } = choose();
  for (const typed of ['#', '#4', '#41', '#412']) choice.type(typed);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['#412']);
  expect([choice.source, choice.item?.title, choice.asking]).toEqual(['pull', 'Report', '']);
  expect(choice.start()).toEqual(item.start);
});

test('open pull requests are listed where one rests on their kind, and one is asked for whole', async () => {
  const { choice, asked } = choose();
  choice.choose('pull');
  choice.choose('issue');
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked, 'their kind was only passed over').toEqual([]);
  choice.choose('pull');
  await vi.advanceTimersByTimeAsync(1000);
  expect([choice.pulls?.length, choice.lists, choice.start()]).toEqual([1, true, undefined]);
  choice.pick(choice.pulls?.[0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['pulls', item.url]);
  expect([choice.lists, choice.start()]).toEqual([false, item.start]);
  choice.type('');
  choice.choose('pull');
  await vi.advanceTimersByTimeAsync(1000);
  expect([choice.lists, asked.length], 'they are not asked for again').toEqual([true, 2]);
});

test('an answer that comes after the text changed counts no more', async () => {
  const { choice } = choose(blankStart(), [branch('part')]);
  choice.type('#412');
  choice.type('part');
  await vi.advanceTimersByTimeAsync(1000);
  expect([choice.source, choice.item]).toEqual(['branch', undefined]);
});

test('Enter waits for what was typed to be found', async () => {
  const { choice } = choose(blankStart(), [branch('part')]);
  const used: unknown[] = [];
  choice.type('pa');
  choice.onceSettled(() => used.push('pa'));
  choice.type('part');
  choice.onceSettled(() => used.push(choice.start()?.branch));
  expect(used).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(used).toEqual(['part']);
});

test('a branch of a remote is fetched, and one that is in use is branched off', () => {
  const { choice } = choose();
  expect(choice.branchStart(branch('shards', { remote: 'up' }))).toMatchObject({
    kind: 'branch',
    branch: 'shards',
    remote: 'up',
    ref: 'refs/heads/shards',
  });
  expect(choice.branchStart(branch('main', { dir: '/src' }))).toEqual({
    ...blankStart(),
    base: 'main',
  });
});

test('what was chosen before is shown again', async () => {
  const start: beckon.Start = { ...blankStart(), branch: 'feat/x', base: 'develop' };
  const { choice } = choose(start);
  await vi.advanceTimersByTimeAsync(0);
  expect([choice.source, choice.name, choice.base]).toEqual(['new', 'feat/x', 'develop']);
  expect(choice.start()).toEqual(start);
});

test('open comments come along in the brief, unless they are not wanted', () => {
  expect(briefOf(item, true)).toContain('- `a.go`:7 (lena): Why twice?');
  expect(briefOf(item, false)).toBe('Why\n\nhttps://github.com/a/b/pull/412');
});

test('a title is spelled as a branch spells it', () => {
  expect(slug('Für Größe: 2 Ähnliche!')).toBe('fuer-groesse-2-aehnliche');
  expect(slug('Reject overlapping bookings when two people book at once')).toBe(
    'reject-overlapping-bookings-when-two',
  );
});
