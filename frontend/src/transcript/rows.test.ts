import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { type Row, type Source, rowsOf } from './rows';

let pos = 0;
function entry(kind: beckon.EntryKind, with_: Partial<beckon.Entry> = {}): beckon.Entry {
  pos++;
  return { id: `e${pos}`, runId: 'r', pos, part: 0, kind, parent: '', text: 'x', notice: '', at: pos * 1000, ...with_ };
}
function tool(useId: string, with_: Partial<beckon.ToolCall> = {}, parent = ''): beckon.Entry {
  const call = {
    useId,
    name: 'Read',
    verb: 'reading',
    target: '',
    input: '',
    diff: '',
    added: 0,
    removed: 0,
    done: true,
    failed: false,
    result: '',
    cut: 0,
    orphan: false,
    ...with_,
  } as beckon.ToolCall;
  return entry('tool', { id: useId, tool: call, parent });
}
function question(id: string, with_: Partial<beckon.Question> = {}): beckon.Question {
  return { id, kind: 'ask', toolUseId: '', settlement: 'answered', asked: 0, items: [], ...with_ } as beckon.Question;
}
function rows(with_: Partial<Source>): string[] {
  const source: Source = { entries: [], questions: [], live: [], activity: null, detail: 'normal', whole: true, ...with_ };
  return rowsOf(source).map(shape);
}
function shape(row: Row): string {
  const what = row.kind === 'tools' ? row.entries.length : row.kind === 'asked' ? row.question.id : '';
  return [row.kind, what, row.depth || ''].filter((x) => x !== '').join(' ');
}

test('tool calls that follow one another are one group, a word ends it', () => {
  expect(rows({ entries: [entry('user'), tool('a'), tool('b'), entry('text'), tool('c')] })).toEqual([
    'user',
    'tools 2',
    'text',
    'tools 1',
  ]);
});

test('a sub-agent is indented below the call that began it, and theirs below them', () => {
  const entries = [tool('main'), tool('sub', {}, 'main'), entry('text', { parent: 'main' }), tool('deep', {}, 'sub')];
  expect(rows({ entries })).toEqual(['tools 1', 'tools 1 1', 'text 1', 'tools 1 2']);
});

test('an answered question stands where it was asked, an open one only in the dock', () => {
  const entries = [entry('text'), tool('ask1', { name: 'AskUserQuestion' }), entry('text'), tool('ask2', { done: false })];
  const questions = [question('q1', { toolUseId: 'ask1' }), question('q2', { toolUseId: 'ask2', settlement: 'open' })];
  expect(rows({ entries, questions })).toEqual(['text', 'asked q1', 'text']);
});

test('a permission keeps the call that it allowed', () => {
  const questions = [question('p', { kind: 'permission', toolUseId: 'run' })];
  expect(rows({ entries: [tool('run')], questions })).toEqual(['tools 1', 'asked p']);
});

test('a question that no entry names stands where its time says', () => {
  const entries = [entry('text', { at: 100 }), entry('text', { at: 300 })];
  expect(rows({ entries, questions: [question('q', { asked: 200 })] })).toEqual(['text', 'asked q', 'text']);
  expect(rows({ entries, questions: [question('q', { asked: 900 })] })).toEqual(['text', 'text', 'asked q']);
  expect(rows({ entries, questions: [question('q', { asked: 50 })], whole: false })).toEqual(['text', 'text']);
});

test('quiet notices are for those who want everything', () => {
  const entries = [entry('notice', { notice: 'init' }), entry('notice', { notice: 'api_retry' })];
  expect(rows({ entries })).toEqual(['notice']);
  expect(rows({ entries, detail: 'everything' })).toEqual(['notice', 'notice']);
});

test('a limit is spoken of when it comes near, not with every turn', () => {
  const limit = (text: string) => entry('notice', { notice: 'rate_limit_event', text });
  expect(rows({ entries: [limit('five_hour allowed'), limit('five_hour allowed · 40 %')] })).toEqual([]);
  expect(rows({ entries: [limit('five_hour allowed_warning · 91 %'), limit('five_hour rejected')] })).toEqual(['notice', 'notice']);
});

test('what is being written comes last, and what is being done where nothing shows it', () => {
  const activity = { verb: 'thinking', target: '', since: 1 } as const;
  const live = [{ runId: 'r', thinking: false, text: 'Now' }];
  expect(rows({ entries: [entry('text')], live, activity })).toEqual(['text', 'live']);
  expect(rows({ entries: [entry('text')], activity })).toEqual(['text', 'busy']);
  expect(rows({ entries: [tool('a', { done: false })], activity })).toEqual(['tools 1']);
});

test('rows keep their names while the transcript grows, so nothing jumps', () => {
  const entries = [entry('user'), tool('a'), entry('text')];
  const ids = (list: beckon.Entry[]) =>
    rowsOf({ entries: list, questions: [], live: [], activity: null, detail: 'normal', whole: true }).map((r) => r.id);
  expect(ids([...entries, tool('z')]).slice(0, 3)).toEqual(ids(entries));
  const twice = [entry('text', { id: 'same', runId: 'r1' }), entry('text', { id: 'same', runId: 'r2' })];
  expect(new Set(ids(twice)).size).toBe(2);
});
