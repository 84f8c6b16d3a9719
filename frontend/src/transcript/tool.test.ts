import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { outputOf, pretty, summaryOf, targetOf, todosOf } from './tool';

const call = (with_: Partial<beckon.ToolCall>) =>
  ({
    name: 'Bash',
    verb: 'executing',
    target: '',
    input: '{}',
    diff: '',
    added: 0,
    removed: 0,
    done: true,
    failed: false,
    result: '',
    cut: 0,
    ...with_,
  }) as beckon.ToolCall;
const said = (with_: Partial<beckon.ToolCall>) => {
  const s = summaryOf(call(with_));
  return [s.kind, s.count, s.of];
};

test('a line says only what is surely known', () => {
  expect(said({ done: false, result: 'x' })).toEqual(['none', 0, 0]);
  expect(said({ failed: true, result: 'Exit code 1\nFAIL' })).toEqual(['exit', 1, 0]);
  expect(said({ failed: true, result: 'no such file' })).toEqual(['failed', 0, 0]);
  expect(said({ verb: 'reading', result: 'a\nb\n' })).toEqual(['lines', 2, 0]);
  expect(said({ verb: 'reading', result: 'a\nb', cut: 9 })).toEqual(['lines', 0, 0]);
  expect(said({ verb: 'editing', added: 3, removed: 1 })).toEqual(['change', 3, 1]);
  expect(said({ result: 'exit code 1 was expected' })).toEqual(['none', 0, 0]);
});

test('a plan shows its steps and how many are done', () => {
  const input = JSON.stringify({
    todos: [
      { content: 'one', status: 'completed' },
      { content: 'two\n', activeForm: 'doing two', status: 'in_progress' },
      null,
    ],
  });
  expect(said({ name: 'TodoWrite', verb: 'planning', input })).toEqual(['steps', 1, 3]);
  expect(todosOf(call({ name: 'TodoWrite', input }))?.[1]).toEqual({
    text: 'two',
    done: false,
    active: true,
    doing: 'doing two',
  });
  expect(todosOf(call({ name: 'Other', input }))).toBeNull();
  expect(said({ name: 'TodoWrite', verb: 'planning', input: input.slice(0, 20) })).toEqual([
    'none',
    0,
    0,
  ]);
});

test('a target is one line without escapes', () => {
  expect(targetOf(call({ target: 'echo \u001b[31ma\u001b[0m\nrm \u202ex' }))).toBe(
    'echo a rm ⟨U+202E⟩x',
  );
});

test('a file is named as in its project, a command as it was run', () => {
  expect(targetOf(call({ verb: 'editing', target: '/w/KES-1/plan/ranges.go' }), ['/w/KES-1'])).toBe(
    'plan/ranges.go',
  );
  expect(targetOf(call({ verb: 'executing', target: '/w/KES-1/run.sh' }), ['/w/KES-1'])).toBe(
    '/w/KES-1/run.sh',
  );
});

test('input that was cut is shown as it is', () => {
  expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(pretty('{"a":')).toBe('{"a":');
});

test('the exit code of a command stands in its line, not in its output too', () => {
  expect(outputOf(call({ failed: true, result: 'Exit code 1\nFAIL\n' }))).toBe('FAIL');
  expect(outputOf(call({ failed: true, result: 'Exit code 1' }))).toBe('Exit code 1');
  expect(outputOf(call({ result: 'Exit code 1\nwas expected' }))).toBe('Exit code 1\nwas expected');
});
