import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import type { Row } from './row';
import { keepRows, sameBusy, type Source, placeOf, rowAt, rowsOf } from './rows';

let pos = 0;
function entry(kind: beckon.EntryKind, with_: Partial<beckon.Entry> = {}): beckon.Entry {
  pos++;
  return {
    id: `e${pos}`,
    runId: 'r',
    pos,
    part: 0,
    kind,
    parent: '',
    text: 'x',
    notice: '',
    at: pos * 1000,
    ...with_,
  };
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
  return {
    id,
    kind: 'ask',
    toolUseId: '',
    settlement: 'answered',
    asked: 0,
    items: [],
    ...with_,
  } as beckon.Question;
}
function rows(with_: Partial<Source>): string[] {
  const source: Source = {
    entries: [],
    questions: [],
    live: [],
    activity: null,
    detail: 'normal',
    open: () => true,
    whole: true,
    ...with_,
  };
  return rowsOf(source).map(shape);
}
function shape(row: Row): string {
  const what =
    row.kind === 'tools'
      ? row.entries.length
      : row.kind === 'asked'
        ? row.question.id
        : row.kind === 'agent'
          ? row.steps
          : '';
  return [row.kind, what, row.depth || ''].filter((x) => x !== '').join(' ');
}

test('a row that says what it said before is the one from before, so that nothing of it is drawn again', () => {
  const source: Source = {
    entries: [entry('user'), tool('a'), tool('b'), entry('text'), tool('c')],
    questions: [],
    live: [],
    activity: null,
    detail: 'normal',
    open: () => true,
    whole: true,
  };
  const before = rowsOf(source);
  expect(keepRows(before, rowsOf(source))).toBe(before);

  const more = rowsOf({ ...source, entries: [...source.entries, tool('d'), entry('text')] });
  const kept = keepRows(before, more);
  expect(kept).toEqual(more);
  expect(kept.map((row) => before.includes(row))).toEqual([true, true, true, false, false]);
});

test('an agent that is busy says so again only where other words or another second are shown', () => {
  const now = (verb: beckon.Verb, since: number, target = ''): beckon.Activity => ({
    verb,
    target,
    since,
  });
  expect(sameBusy(now('reading', 1000, 'a.go'), now('editing', 1900, 'b.go'))).toBe(true);
  expect(sameBusy(now('reading', 1000), now('reading', 2000))).toBe(false);
  expect(sameBusy(now('reading', 1000), now('waiting', 1000))).toBe(false);
  expect(sameBusy(now('background', 1000, 'a'), now('background', 1000, 'b'))).toBe(false);
});

test('tool calls that follow one another are one group, a word ends it', () => {
  expect(
    rows({ entries: [entry('user'), tool('a'), tool('b'), entry('text'), tool('c')] }),
  ).toEqual(['user', 'tools 2', 'text', 'tools 1']);
});

test('a sub-agent is indented below the call that began it, and theirs below them', () => {
  const entries = [
    tool('main'),
    tool('sub', {}, 'main'),
    entry('text', { parent: 'main' }),
    tool('deep', {}, 'sub'),
  ];
  expect(rows({ entries })).toEqual(['agent 1', 'agent 1 1', 'tools 1 2', 'text 1']);
});

test('two sub-agents that work at once are kept apart', () => {
  const entries = [
    tool('a'),
    tool('b'),
    tool('a1', {}, 'a'),
    tool('b1', {}, 'b'),
    tool('a2', {}, 'a'),
    entry('text'),
  ];
  expect(rows({ entries })).toEqual(['agent 2', 'tools 2 1', 'agent 1', 'tools 1 1', 'text']);
});

test('a sub-agent that is closed is one line, but what the person answered stays in sight', () => {
  const entries = [
    tool('main'),
    tool('run', {}, 'main'),
    tool('ask', { name: 'AskUserQuestion' }, 'main'),
    entry('text'),
  ];
  const questions = [
    question('p', { kind: 'permission', toolUseId: 'run' }),
    question('q', { toolUseId: 'ask' }),
  ];
  expect(rows({ entries, questions, open: () => false })).toEqual([
    'agent 2',
    'asked p 1',
    'asked q 1',
    'text',
  ]);
});

test('what a sub-agent did is shown even where the call that began it is in an older page', () => {
  expect(rows({ entries: [tool('sub', {}, 'gone'), entry('text')], open: () => false })).toEqual([
    'tools 1 1',
    'text',
  ]);
});

test('agents that claim to be within each other are shown all the same', () => {
  expect(
    rows({ entries: [tool('a', {}, 'b'), tool('b', {}, 'a'), tool('c', {}, 'c')] }).length,
  ).toBeGreaterThan(1);
});

test('a plan is one line that moves on where it stands, and the next turn has its own', () => {
  const plan = (useId: string, done: number) =>
    tool(useId, {
      name: 'TodoWrite',
      verb: 'planning',
      input: JSON.stringify({
        todos: [0, 1].map((i) => ({ content: `${i}`, status: i < done ? 'completed' : 'pending' })),
      }),
    });
  const entries = [
    plan('p1', 0),
    tool('a'),
    plan('p2', 1),
    entry('text'),
    plan('p3', 2),
    entry('user'),
    plan('p4', 0),
  ];
  const made = rowsOf({
    entries,
    questions: [],
    live: [],
    activity: null,
    detail: 'normal',
    open: () => true,
    whole: true,
  });
  expect(made.map(shape)).toEqual(['tools 2', 'text', 'user', 'tools 1']);
  const first = made[0];
  expect(first?.kind === 'tools' && [first.entries[0]!.id, first.entries[0]!.tool!.useId]).toEqual([
    'p1',
    'p3',
  ]);
});

test('a place leads to the row that shows it, or to the one before', () => {
  const entries = [
    entry('user'),
    tool('a'),
    tool('b'),
    entry('notice', { notice: 'init' }),
    entry('text'),
  ];
  const made = rowsOf({
    entries,
    questions: [],
    live: [],
    activity: null,
    detail: 'normal',
    open: () => true,
    whole: true,
  });
  const at = (e: beckon.Entry) => rowAt(made, e, () => 1);
  expect(entries.map(at)).toEqual([0, 1, 1, 1, 2]);
  expect(at({ ...entries[0]!, pos: 0 })).toBe(-1);
  expect(placeOf(made[1])).toMatchObject({ pos: entries[1]!.pos });
});

test('an answered question stands where it was asked, an open one only in the dock', () => {
  const entries = [
    entry('text'),
    tool('ask1', { name: 'AskUserQuestion' }),
    entry('text'),
    tool('ask2', { done: false }),
  ];
  const questions = [
    question('q1', { toolUseId: 'ask1' }),
    question('q2', { toolUseId: 'ask2', settlement: 'open' }),
  ];
  expect(rows({ entries, questions })).toEqual(['text', 'asked q1', 'text']);
});

test('a permission keeps the call that it allowed', () => {
  const questions = [question('p', { kind: 'permission', toolUseId: 'run' })];
  expect(rows({ entries: [tool('run')], questions })).toEqual(['tools 1', 'asked p']);
});

test('a question that no entry names stands where its time says', () => {
  const entries = [entry('text', { at: 100 }), entry('text', { at: 300 })];
  expect(rows({ entries, questions: [question('q', { asked: 200 })] })).toEqual([
    'text',
    'asked q',
    'text',
  ]);
  expect(rows({ entries, questions: [question('q', { asked: 900 })] })).toEqual([
    'text',
    'text',
    'asked q',
  ]);
  expect(rows({ entries, questions: [question('q', { asked: 50 })], whole: false })).toEqual([
    'text',
    'text',
  ]);
});

test('quiet notices are for those who want everything', () => {
  const entries = [entry('notice', { notice: 'init' }), entry('notice', { notice: 'api_retry' })];
  expect(rows({ entries })).toEqual(['notice']);
  expect(rows({ entries, detail: 'everything' })).toEqual(['notice', 'notice']);
});

test('a limit is spoken of when it comes near, not with every turn', () => {
  const limit = (text: string) => entry('notice', { notice: 'rate_limit_event', text });
  expect(
    rows({ entries: [limit('five_hour allowed'), limit('five_hour allowed · 40 %')] }),
  ).toEqual([]);
  expect(
    rows({ entries: [limit('five_hour allowed_warning · 91 %'), limit('five_hour rejected')] }),
  ).toEqual(['notice', 'notice']);
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
    rowsOf({
      entries: list,
      questions: [],
      live: [],
      activity: null,
      detail: 'normal',
      open: () => true,
      whole: true,
    }).map((r) => r.id);
  expect(ids([...entries, tool('z')]).slice(0, 3)).toEqual(ids(entries));
  const twice = [
    entry('text', { id: 'same', runId: 'r1' }),
    entry('text', { id: 'same', runId: 'r2' }),
  ];
  expect(new Set(ids(twice)).size).toBe(2);
});
