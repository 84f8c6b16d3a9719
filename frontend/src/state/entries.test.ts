import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { beyond, merge } from './entries';

const number = (runId: string) => Number(runId.slice(1));

function entry(runId: string, pos: number, id = `${pos}`, part = 0): beckon.Entry {
  return {
    id,
    runId,
    pos,
    part,
    kind: 'text',
    parent: '',
    text: `${runId}:${pos}`,
    notice: '',
    at: 0,
  };
}

function tool(pos: number, more: Partial<beckon.ToolCall>): beckon.Entry {
  const call: beckon.ToolCall = {
    useId: 'u',
    name: 'Bash',
    verb: 'executing',
    target: 'go test',
    input: '{}',
    diff: '',
    added: 0,
    removed: 0,
    done: false,
    failed: false,
    result: '',
    cut: 0,
    orphan: false,
  };
  return { ...entry('r1', pos, 'u'), kind: 'tool', tool: { ...call, ...more } };
}

const shape = (list: beckon.Entry[]) => list.map((e) => `${e.runId}:${e.pos}.${e.part}`);

test('a transcript reads in the order of runs, lines and parts', () => {
  const list = merge(
    [entry('r2', 1)],
    [entry('r1', 9), entry('r1', 2, 'b', 1), entry('r1', 2, 'a', 0)],
    number,
  );
  expect(shape(list)).toEqual(['r1:2.0', 'r1:2.1', 'r1:9.0', 'r2:1.0']);
});

test('an entry that arrives twice is shown once, as it arrived last', () => {
  const again = { ...entry('r1', 1), text: 'grown' };
  expect(merge([entry('r1', 1)], [again], number)).toEqual([again]);
});

test('an entry that arrives again as it was stays the same value, so that nothing of it is drawn again', () => {
  const shown = [entry('r1', 1), tool(2, { done: true, result: 'ok' })];
  const merged = merge(shown, structuredClone(shown), number);
  expect(merged.every((one, i) => one === shown[i])).toBe(true);
  expect(merge(shown, [tool(2, { done: true, result: 'other' })], number)[1]).not.toBe(shown[1]);
  expect(merge(shown, [{ ...entry('r1', 1), pictures: [] }], number)[0]).not.toBe(shown[0]);
});

test('two runs may use the same entry id', () => {
  expect(shape(merge([entry('r1', 1, 'x')], [entry('r2', 1, 'x')], number))).toEqual([
    'r1:1.0',
    'r2:1.0',
  ]);
});

test('a result whose call was on an older page joins it when that page comes', () => {
  const orphan = tool(40, {
    name: '',
    target: '',
    done: true,
    failed: true,
    result: 'FAIL',
    orphan: true,
  });
  const [joined] = merge([orphan], [tool(3, {})], number);
  expect(joined!.pos).toBe(3);
  expect(joined!.tool).toMatchObject({
    target: 'go test',
    done: true,
    failed: true,
    result: 'FAIL',
    orphan: false,
  });
});

test('a result that comes alone does not hide the call that is shown', () => {
  const orphan = tool(40, { name: '', target: '', done: true, result: 'ok', orphan: true });
  const [joined] = merge([tool(3, {})], [orphan], number);
  expect(joined!.tool).toMatchObject({ target: 'go test', done: true, result: 'ok' });
});

test('a page read a moment too early does not take a result away', () => {
  const [kept] = merge([tool(3, { done: true, result: 'ok' })], [tool(3, {})], number);
  expect(kept!.tool!.result).toBe('ok');
});

test('a failed edit that comes with its result alone shows no change', () => {
  const call = tool(3, { verb: 'editing', diff: '@@ -1 +1 @@\n-a\n+b', added: 1, removed: 1 });
  const [failed] = merge([call], [tool(40, { done: true, failed: true, orphan: true })], number);
  expect(failed!.tool).toMatchObject({ failed: true, diff: '', added: 0, removed: 0 });
  const [made] = merge(
    [call],
    [tool(40, { done: true, diff: '@@ -9 +9 @@\n-a\n+b', added: 1, removed: 1, orphan: true })],
    number,
  );
  expect(made!.tool!.diff).toBe('@@ -9 +9 @@\n-a\n+b');
});

test('a result that arrives twice without its call keeps its place', () => {
  const orphan = { done: true, result: 'ok', orphan: true };
  const [kept] = merge([tool(40, orphan)], [tool(52, { ...orphan, result: 'all of it' })], number);
  expect([kept!.pos, kept!.tool!.result]).toEqual([40, 'all of it']);
});

test('what came while a page was read is not lost to it; what is older leaves no gap', () => {
  const shown = [entry('r1', 1), entry('r2', 7), entry('r2', 9)];
  expect(shape(beyond(shown, [entry('r2', 4), entry('r2', 6)], number))).toEqual([
    'r2:7.0',
    'r2:9.0',
  ]);
  expect(beyond(shown, [], number)).toEqual(shown);
});
