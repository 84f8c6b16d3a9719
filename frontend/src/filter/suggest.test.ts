import { expect, test } from 'vitest';
import '../i18n/desk';
import '../i18n/screens';
import type { Counts } from './find';
import type { Filter } from './query';
import { offers, read, suggest, whole } from './suggest';
import { clauseWords, sentence } from './words';

const counts: Counts = new Map([
  [
    'label',
    new Map([
      ['perf', 4],
      ['parser', 3],
      ['docs', 9],
      ['needs work', 1],
      ['needs', 2],
      ['', 5],
    ]),
  ],
  [
    'priority',
    new Map([
      ['0', 10],
      ['2', 3],
      ['3', 2],
      ['4', 1],
    ]),
  ],
  [
    'state',
    new Map([
      ['backlog', 8],
      ['stopped', 2],
      ['done', 6],
    ]),
  ],
  [
    'project',
    new Map([
      ['p1', 10],
      ['p2', 6],
    ]),
  ],
  [
    'model',
    new Map([
      ['opus', 3],
      ['', 13],
    ]),
  ],
  [
    'waiting',
    new Map([
      ['you', 3],
      ['', 13],
    ]),
  ],
  [
    'file',
    new Map([
      ['src/', 5],
      ['src/parse/', 3],
      ['src/parse/a.go', 2],
      ['docs/', 6],
      ['docs/src.md', 1],
    ]),
  ],
]);
const names = {
  projects: new Map([
    ['p1', 'kestrel'],
    ['p2', 'orchard'],
  ]),
};
const labels = (typed: string, filter: Filter = []) =>
  suggest(typed, counts, names, filter).map((row) => row.label);

test.each([
  ['perf', { not: false, field: undefined, wish: 'perf' }],
  ['label:perf', { not: false, field: 'label', wish: 'perf' }],
  ['p:h', { not: false, field: 'priority', wish: 'h' }],
  ['!is:Done', { not: true, field: 'state', wish: 'Done' }],
  ['-#docs', { not: true, field: 'label', wish: 'docs' }],
  ['@orch', { not: false, field: 'project', wish: 'orch' }],
  ['http://x', { not: false, field: undefined, wish: 'http://x' }],
  ['', { not: false, field: undefined, wish: '' }],
])('“%s” is read as it is meant', (typed, want) => {
  expect(read(typed)).toEqual(want);
});

test('typing finds fields and values at once, and otherwise is a text', () => {
  expect(labels('pe')).toEqual(['perf', 'pe']);
  expect(labels('h')[0]).toBe('High');
  expect(labels('p')).toContain('Priority');
  expect(labels('Xyz')).toEqual(['Xyz']);
  expect(labels('topp')).toEqual(['topp', 'Stopped']);
  expect(labels('p:h')).toEqual(['High', 'High or urgent', 'Medium or higher']);
  expect(labels('is:wa')).toEqual(['Waiting']);
  expect(labels('label:')).toEqual(['docs', 'perf', 'parser', 'needs', 'needs work', 'No label']);
});

test('files are found by any part of their path, and folders are offered first', () => {
  expect(labels('file:')).toEqual(['docs/', 'src/', 'src/parse/']);
  expect(labels('f:src')).toEqual(['src/', 'src/parse/', 'src/parse/a.go', 'src', 'docs/src.md']);
  expect(suggest('path:a.go', counts, names, [])[0]).toMatchObject({
    field: 'file',
    values: ['*a.go*'],
  });
  expect(suggest('!file:*.go', counts, names, []).map((row) => row.values)).toEqual([['*.go']]);
  expect(labels('src'), 'unless they are asked for').toEqual(['src']);
});

test('what is asked for already, and what no card has, is not offered', () => {
  expect(labels('label:pe', [{ field: 'label', not: false, values: ['perf'] }])).toEqual([]);
  expect(labels('is:')).toEqual(['Backlog', 'Stopped', 'Done', 'Waiting']);
});

test.each([
  ['label:perf ', { field: 'label', not: false, values: ['perf'] }],
  ['!is:stopped ', { field: 'state', not: true, values: ['stopped'] }],
  ['file:src/ ', { field: 'file', not: false, values: ['src/'] }],
  ['p:high ', { field: 'priority', not: false, values: ['3'] }],
  ['label:needs ', undefined], // "needs work" may be meant
  ['label:perf', undefined],
  ['perf ', undefined],
])('the space after “%s” ends a condition that is whole', (typed, want) => {
  expect(whole(typed, suggest(typed, counts, names, []))).toEqual(want);
});

test('at most three conditions are offered, who waits first, then those that halve the list best', () => {
  const rows = offers(counts, names, [], 16);
  expect(rows.map((row) => row.label)).toEqual(['Waiting', 'Backlog', 'docs']);
  expect(
    offers(counts, names, [{ field: 'waiting', not: false, values: ['you'] }], 16).map(
      (row) => row.field,
    ),
  ).not.toContain('waiting');
});

test('a condition is said in words', () => {
  const say = (
    field: 'label' | 'priority' | 'waiting' | 'project',
    values: string[],
    not = false,
  ) => sentence({ field, not, values }, names);
  expect(say('label', ['perf', 'api'])).toBe('Label is any of perf, api');
  expect(say('label', ['perf', 'api'], true)).toBe('Label is none of perf, api');
  expect(say('label', [''])).toBe('Label is No label');
  expect(say('priority', ['4', '2', '3'])).toBe('Priority is medium or higher');
  expect(say('waiting', ['you'], true)).toBe('Not waiting');
  expect(clauseWords({ field: 'project', not: false, values: ['p9'] }, names).values).toBe(
    'a removed project',
  );
});
