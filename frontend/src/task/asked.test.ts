// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  answerWords,
  copyOf,
  fromWords,
  landmarkOf,
  sumOf,
  textOf,
  trailOf,
  unheard,
} from './asked';

const question = (more: Partial<beckon.Question>): beckon.Question =>
  ({
    id: 'q',
    taskId: 't',
    runId: 'r',
    kind: 'ask',
    toolUseId: '',
    agent: '',
    items: [
      {
        header: '',
        text: 'Which part?',
        options: [
          { id: '', label: 'Parser', description: '', preview: '' },
          { id: '', label: 'Planner', description: '', preview: '' },
        ],
        multiple: false,
      },
    ],
    plan: '',
    form: '',
    message: '',
    origin: '',
    policy: 'proceed',
    asked: 1_000,
    deadline: 0,
    waitMs: 60_000,
    heldMs: 0,
    settlement: 'answered',
    settled: 23_000,
    reason: '',
    delivered: 24_000,
    assumption: '',
    ruleId: '',
    answer: {
      items: [{ labels: ['Planner'], other: '' }],
      verdict: '',
      text: '',
      by: 'phone',
      byName: 'Pixel 9',
      at: 23_000,
    },
    ...more,
  }) as beckon.Question;

const run = { number: 2, ended: 0 };

test('who answered and whether Claude has it are said', () => {
  const q = question({});
  expect(fromWords(q)).toBe('Pixel 9');
  expect(answerWords(q)).toEqual({ said: 'Planner', more: '' });
  expect(trailOf(q, run).map((s) => s.words)).toEqual([
    'Claude asked',
    'Pressed on Pixel 9, over the phone page',
    'Claude has it',
  ]);
});

test('an answer that Claude did not hear is never shown as heard', () => {
  const q = question({ delivered: 0 });
  expect(unheard(q)).toBe(true);
  expect(answerWords(q).more).toBe('Not heard yet');
  expect(trailOf(q, { number: 2, ended: 25_000 }).map((s) => s.words)).toEqual([
    'Claude asked',
    'Pressed on Pixel 9, over the phone page',
    'Run 2 ended. The answer is not in its session yet',
    'Told again when the run resumes, once.',
  ]);
  expect(trailOf(q, run).at(-1)?.words).toBe('On its way to Claude.');
});

test('a changed answer keeps what was said first, by whom and from where', () => {
  const first = question({}).answer!;
  const q = question({
    earlier: [first],
    answer: {
      ...first,
      items: [{ labels: ['Parser'], other: '' }],
      by: 'user',
      byName: '',
      at: 35_400,
    } as beckon.Answer,
    delivered: 36_000,
  });
  expect(answerWords(q)).toEqual({ said: 'Parser', more: 'was: Planner, changed after 0:12' });
  expect(fromWords(q)).toBe('desk, you');
  expect(trailOf(q, run).map((s) => s.words)).toEqual([
    'Claude asked',
    'Pressed on Pixel 9, over the phone page: Planner',
    'Changed to Parser, desk, you',
    'Claude has it',
  ]);
  expect(textOf(q)).toContain('planner');
  expect(copyOf([q])).toBe(
    '- Which part?\n  Parser · was: Planner, changed after 0:12 · desk, you\n',
  );
});

test('a clock that ran out says so, with what Claude assumed, and that an answer still counts', () => {
  const q = question({
    settlement: 'expired',
    settled: 61_000,
    delivered: 0,
    answer: undefined,
    assumption: 'Parser',
  } as Partial<beckon.Question>);
  expect(fromWords(q)).toBe('the clock');
  expect(answerWords(q).more).toMatch(/^No answer in 1:00\. Claude continued\. .*Parser/);
  expect(trailOf(q, run).at(-1)?.words).toBe('An answer still reaches Claude.');
});

test('questions are summed up, found by who answered, and copied', () => {
  const all = [
    question({}),
    question({
      id: 'w',
      settlement: 'open',
      settled: 0,
      delivered: 0,
      answer: undefined,
    } as Partial<beckon.Question>),
    question({
      id: 'e',
      settlement: 'expired',
      settled: 61_000,
      answer: undefined,
    } as Partial<beckon.Question>),
  ];
  expect(sumOf(all)).toBe(
    '3 questions, 1 answered by you, 1 by the clock. Waiting for answers took 1 min',
  );
  expect(textOf(all[0]!)).toContain('pixel 9');
  expect(copyOf([all[0]!])).toBe('- Which part?\n  Planner · Pixel 9\n');
});

test('a question is shown where it was asked', () => {
  const mark = (kind: string, runId: string, at: number) =>
    ({ kind, runId, at, pos: at, part: 0, text: '' }) as beckon.Landmark;
  expect(
    landmarkOf(question({}), [
      mark('question', 'x', 1_000),
      mark('user', 'r', 1_000),
      mark('question', 'r', 9_000),
      mark('question', 'r', 1_200),
    ])?.pos,
  ).toBe(1_200);
  expect(landmarkOf(question({}), [mark('question', 'r', 0)])).toBeUndefined();
});
