// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Importing } from './importing.svelte';

const asked: beckon.ImportQuery[] = [];
const pieces: [string, string][] = [];
const ordered: beckon.ImportOrder[] = [];
/** What the next questions find, in their order; a later one may be answered first. */
let answers: Promise<beckon.ImportFound>[] = [];
let refused: Error | undefined;
vi.mock('../bridge', async (original) => ({
  ...(await original<object>()),
  api: {
    importPlaces: () => Promise.resolve({ database: '/vk.sqlite', server: '', tool: '' }),
    bringText: (id: string, piece: string) => {
      pieces.push([id, piece]);
      return Promise.resolve('text');
    },
    findImports: (query: beckon.ImportQuery) => {
      asked.push(query);
      return answers.shift();
    },
    importTasks: (order: beckon.ImportOrder) => {
      ordered.push(order);
      if (refused) return Promise.reject(refused);
      return Promise.resolve({
        step: { kind: 'create', at: 0, keys: [], taskIds: [] },
        refused: [],
      });
    },
  },
}));

beforeEach(() => {
  for (const list of [asked, pieces, ordered]) list.length = 0;
  answers = [];
  refused = undefined;
});

const found = (id: string, ...titles: string[]): beckon.ImportFound => ({
  id,
  origin: '',
  columns: [
    { name: 'Summary', field: 'title' },
    { name: 'Other', field: '' },
  ],
  states: [{ name: '', count: titles.length, to: 'backlog' }],
  rows: titles.map((title) => ({
    title,
    projectId: 'p',
    state: '',
    labels: [],
    priority: 0,
    key: '',
    branch: '',
    hasText: false,
    same: '',
  })),
  refusals: [],
  refused: 0,
});

function begin(source: beckon.ImportSource): Importing {
  const work = new Importing('p');
  work.source = source;
  return work;
}

test('a text is brought whole, read, and read again as the person takes its columns', async () => {
  const work = begin('csv');
  answers = [found('a', 'one'), found('b', 'two')].map((one) => Promise.resolve(one));
  await work.bring('x'.repeat(120_001), 'jira.csv');
  expect(pieces.map(([id, piece]) => [id, piece.length])).toEqual([
    ['', 120_000],
    ['text', 1],
  ]);
  await work.takeFor('title', 'Other');
  expect(asked.map(({ text, fields }) => [text, fields])).toEqual([
    ['text', []],
    ['text', ['', 'title']],
  ]);
  expect(work.rows.map(({ title }) => title)).toEqual(['two']);
});

test('what is found for a source that was left counts no more', async () => {
  const work = begin('vibeKanban');
  let late = (_: beckon.ImportFound) => {};
  answers = [new Promise((resolve) => (late = resolve)), Promise.resolve(found('b', 'issue'))];
  const reading = work.read();
  work.choose('forge');
  await vi.waitFor(() => expect(work.found?.id).toBe('b'));
  late(found('a', 'task'));
  await reading;
  expect([work.source, work.found?.id, work.reading]).toEqual(['forge', 'b', false]);
});

test('an import that is refused leaves what was found and chosen', async () => {
  const work = begin('markdown');
  answers = [Promise.resolve(found('a', 'one', 'two'))];
  await work.bring('- one\n- two');
  work.toggle(1);
  refused = new Error('no');
  expect(await work.commit()).toBe(false);
  expect([work.sums.coming, work.busy]).toEqual([1, false]);
  refused = undefined;
  expect(await work.commit()).toBe(true);
  expect(ordered).toEqual(Array(2).fill({ id: 'a', picks: [{ row: 0, to: 'backlog' }] }));
});

test('a file that is too large, or no text, is not brought', async () => {
  const work = begin('markdown');
  await work.take(new File([new Uint8Array([0xdc, 0x62])], 'latin.csv'));
  expect([work.source, work.refusal]).toEqual([
    'csv',
    'latin.csv isn’t text in UTF-8 or UTF-16. Save it as UTF-8 and choose it again.',
  ]);
  await work.take(new File([new Uint8Array((8 << 20) + 1)], 'large.md'));
  expect(work.refusal).toContain('large.md is larger than 8 MB');
  await work.take(new File(['x'], 'db.sqlite'));
  expect([work.source, work.file]).toEqual(['vibeKanban', '']);
  expect(pieces).toEqual([]);
});
