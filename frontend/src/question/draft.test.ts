import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  answerOf,
  answerText,
  choose,
  complete,
  emptyDraft,
  instant,
  mayStand,
  nextUnanswered,
  readDraft,
  remark,
  toggleOther,
  typedIn,
  typeOther,
} from './draft';

const item = (labels: string[], multiple = false): beckon.QuestionItem => ({
  header: 'H',
  text: 'T?',
  multiple,
  options: labels.map((label) => ({ id: '', label, description: '', preview: '' })),
});
const ask = (...items: beckon.QuestionItem[]) => ({ kind: 'ask' as const, items });

test('one number is the whole answer only of one question with one choice', () => {
  expect(instant(ask(item(['a', 'b'])))).toBe(true);
  expect(instant(ask(item(['a', 'b'], true)))).toBe(false);
  expect(instant(ask(item(['a']), item(['b'])))).toBe(false);
  expect(instant(ask(item([])))).toBe(false);
});

test('a number chooses its option and replaces the one before', () => {
  const q = ask(item(['Planner', 'Parser']));
  const draft = choose(q, choose(q, emptyDraft(q), 0, 1), 0, 2);
  expect(answerOf(q, draft)).toEqual({
    items: [{ labels: ['Parser'], other: '' }],
    verdict: '',
    text: '',
    by: '',
    at: 0,
  });
  expect(choose(q, draft, 0, 3)).toBe(draft);
});

test('several choices are sent in the order of the options, whatever was pressed first', () => {
  const q = ask(item(['a', 'b', 'c'], true));
  let draft = emptyDraft(q);
  for (const n of [3, 1, 2, 2]) draft = choose(q, draft, 0, n);
  expect(answerOf(q, draft).items).toEqual([{ labels: ['a', 'c'], other: '' }]);
});

test('own words replace a single choice, stand beside several, and are never lost', () => {
  const one = ask(item(['a', 'b']));
  let draft = typeOther(one, choose(one, emptyDraft(one), 0, 1), 0, ' mine ');
  expect(answerOf(one, draft).items).toEqual([{ labels: [], other: 'mine' }]);
  draft = choose(one, draft, 0, 2);
  expect(answerOf(one, draft).items).toEqual([{ labels: ['b'], other: '' }]);
  expect(draft.items[0]?.other).toBe(' mine ');
  expect(answerOf(one, toggleOther(one, draft, 0)).items).toEqual([{ labels: [], other: 'mine' }]);

  const many = ask(item(['a', 'b'], true));
  draft = typeOther(many, choose(many, emptyDraft(many), 0, 1), 0, 'mine');
  expect(answerOf(many, draft).items).toEqual([{ labels: ['a'], other: 'mine' }]);
  expect(answerText(answerOf(many, draft))).toBe('a, mine');
});

test('an ask is complete when each of its questions has an answer', () => {
  const q = ask(item(['a']), item([]), item(['c'], true));
  let draft = choose(q, emptyDraft(q), 0, 1);
  expect([complete(q, draft), nextUnanswered(draft, 0)]).toEqual([false, 1]);
  draft = choose(q, typeOther(q, draft, 1, 'free'), 2, 1);
  expect([complete(q, draft), nextUnanswered(draft, 2)]).toEqual([true, -1]);
  expect(nextUnanswered(typeOther(q, draft, 1, '  '), 2)).toBe(1);
});

test('a permission needs a verdict, and its reason goes along', () => {
  const q = { kind: 'permission' as const, items: [] };
  expect(complete(q, emptyDraft(q))).toBe(false);
  const draft = { ...emptyDraft(q), verdict: 'deny' as const, text: ' too wide ' };
  expect(complete(q, draft)).toBe(true);
  expect(answerOf(q, draft)).toEqual({
    items: [],
    verdict: 'deny',
    text: 'too wide',
    by: '',
    at: 0,
  });
});

test('a plan goes back as it was edited, and only where it was', () => {
  const q = { kind: 'plan' as const, items: [], plan: '1. All' };
  const approved = {
    ...emptyDraft(q),
    verdict: 'allow' as const,
    mode: 'acceptEdits' as const,
    text: 'never sent',
  };
  expect(answerOf(q, approved)).toEqual({
    items: [],
    verdict: 'allow',
    text: '',
    mode: 'acceptEdits',
    by: '',
    at: 0,
  });
  expect(answerOf(q, { ...approved, plan: '1. All' }).plan).toBeUndefined();
  expect(answerOf(q, { ...approved, plan: '1. Half' }).plan).toBe('1. Half');
  expect(answerOf(q, { ...approved, plan: '1. Half', verdict: 'deny', text: 'less' })).toEqual({
    items: [],
    verdict: 'deny',
    text: 'less',
    by: '',
    at: 0,
  });
});

test('only what is allowed always can be allowed for the project', () => {
  const q = { kind: 'permission' as const, items: [] };
  const draft = { ...emptyDraft(q), project: true };
  expect(answerOf(q, { ...draft, verdict: 'allowAlways' }).project).toBe(true);
  expect(answerOf(q, { ...draft, verdict: 'allow' }).project).toBeUndefined();
});

test('an answer stands for the next time only where an option was chosen of one question', () => {
  const q = ask(item(['a', 'b']));
  const chosen = { ...choose(q, emptyDraft(q), 0, 1), standing: true };
  expect(answerOf(q, chosen).standing).toBe(true);
  expect(answerOf(q, typeOther(q, chosen, 0, 'mine')).standing).toBeUndefined();
  expect(mayStand(ask(item(['a']), item(['b'])), emptyDraft(q))).toBe(false);
});

test('a skipped question says nothing of what was chosen, which stays in the draft', () => {
  const q = ask(item(['a']), item(['b']));
  const draft = { ...choose(q, emptyDraft(q), 0, 1), verdict: 'skip' as const };
  expect(complete(q, draft)).toBe(true);
  expect(answerOf(q, draft)).toEqual({ items: [], verdict: 'skip', text: '', by: '', at: 0 });
});

test('a form is sent when nothing in it is wrong, declined whenever', () => {
  const form = JSON.stringify({ required: ['n'], properties: { n: { type: 'integer' } } });
  const q = { kind: 'elicitation' as const, items: [], form };
  const draft = { ...emptyDraft(q), verdict: 'allow' as const };
  expect(complete(q, draft)).toBe(false);
  expect(complete(q, { ...draft, verdict: 'deny' })).toBe(true);
  const filled = { ...draft, form: { n: '3' } };
  expect(complete(q, filled)).toBe(true);
  expect(answerOf(q, filled).content).toBe('{"n":3}');
});

test('a draft of an older page, and one that was kept, still fit; one of another question does not', () => {
  const q = ask(item(['a']));
  const kept = readDraft(
    q,
    JSON.stringify({
      items: [{ labels: ['a'], other: 'mine', useOther: false }],
      page: 0,
      verdict: '',
      text: '',
    }),
  );
  expect(kept).toMatchObject({
    items: [{ labels: ['a'], other: 'mine', note: '' }],
    plan: null,
    form: {},
  });
  expect(typedIn(q, remark(kept!, 0, 'because'))).toBe('mine\n\nbecause');
  for (const wrong of [null, '{', '{"items":[]}']) expect(readDraft(q, wrong)).toBeUndefined();
});
