import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { meaningsOf, nothingSaid, read, wordAt, without, type Known } from './quickWords';

const task = (id: string, key: string, title: string) =>
  ({ id, key, title, number: 1, projectId: 'p1', status: 'queued', after: '' }) as beckon.Task;
const tasks = new Map([['t4', task('t4', 'KES-4', 'Parse ranges')]]);
const known: Known = {
  labels: ['docs', 'perf', 'parser', 'docs'],
  priorities: ['No priority', 'Low priority', 'Medium priority', 'High priority', 'Urgent'],
  projects: [
    { id: 'p1', name: 'kestrel', key: 'KES' },
    { id: 'p2', name: 'web shop', key: 'SHO' },
  ] as beckon.Project[],
  tasks,
};

test('a line says labels, a priority, a project and what it waits for, and only what there is', () => {
  const line = 'Catch #PERF overlaps !high @sho >kes-4 #412 #new C# a@b.c !important -> x';
  expect(read(line, nothingSaid('p1'), known)).toEqual({
    title: 'Catch overlaps #412 #new C# a@b.c !important -> x',
    said: { labels: ['perf'], priority: 3, projectId: 'p2', after: 't4' },
  });
  expect(read('!HIGH @kestrel', nothingSaid('p2'), known).said).toMatchObject({
    priority: 3,
    projectId: 'p1',
  });
});

test('the word at the caret has meanings, those that begin with it first', () => {
  const word = wordAt('Catch #pa', 9)!;
  expect(word).toEqual({ mark: '#', from: 6, typed: 'pa' });
  const names = (text: string, said = nothingSaid('p1')) =>
    meaningsOf(wordAt(text, text.length)!, said, known).map(({ label }) => label);
  expect(names('#p')).toEqual(['parser', 'perf']);
  expect(names('#p', { ...nothingSaid('p1'), labels: ['perf'] })).toEqual(['parser']);
  expect(names('!')).toEqual(['Urgent', 'High priority', 'Medium priority', 'Low priority']);
  expect(names('x @s')).toEqual(['web shop', 'kestrel']);
  expect(names('>ran')).toEqual(['KES-4']);
  for (const text of ['a#b', 'C#', 'word', '']) expect(wordAt(text, text.length)).toBeUndefined();
});

test('a word whose meaning was taken leaves the text', () => {
  expect(without('Catch #pa overlaps', wordAt('Catch #pa', 9)!)).toEqual({
    text: 'Catch overlaps',
    caret: 6,
  });
});
