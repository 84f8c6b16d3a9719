import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { beforeOf } from './before';

let pos = 0;
const entry = (kind: beckon.EntryKind, with_: Partial<beckon.Entry> = {}) =>
  ({
    id: `e${++pos}`,
    runId: 'r',
    pos,
    part: 0,
    kind,
    parent: '',
    text: '',
    notice: '',
    at: 0,
    ...with_,
  }) as beckon.Entry;
const tool = (useId: string, done = true) =>
  entry('tool', { tool: { useId, done } as beckon.ToolCall });
const shape = (entries: beckon.Entry[], toolUseId = 'ask') => {
  const { tools, text } = beforeOf(entries, { toolUseId, runId: 'r' });
  return [...tools.map((e) => e.tool!.useId), text];
};

test('what was said last and done around it stands before the question, not what came after', () => {
  const entries = [
    tool('w'),
    entry('text', { text: 'old' }),
    tool('x'),
    entry('text', { text: 'new' }),
    tool('a'),
    tool('ask', false),
    entry('text', { text: 'later' }),
  ];
  expect(shape(entries)).toEqual(['x', 'a', 'new']);
  expect(shape(entries, '')).toEqual(['a', 'later']);
});

test('a long row of calls is cut to the last, and another turn is not shown', () => {
  expect(
    shape([
      entry('text', { text: 'said' }),
      ...['a', 'b', 'c', 'd'].map((id) => tool(id)),
      tool('ask'),
    ]),
  ).toEqual(['b', 'c', 'd', 'said']);
  expect(shape([entry('text', { text: 'said' }), entry('user'), tool('a'), tool('ask')])).toEqual([
    'a',
    '',
  ]);
});
