import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { answerOf, answerText, choose, complete, emptyDraft, instant, nextUnanswered, toggleOther, typeOther } from './draft';

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
  expect(answerOf(draft)).toEqual({ items: [{ labels: ['Parser'], other: '' }], verdict: '', text: '', by: '', at: 0 });
  expect(choose(q, draft, 0, 3)).toBe(draft);
});

test('several choices are sent in the order of the options, whatever was pressed first', () => {
  const q = ask(item(['a', 'b', 'c'], true));
  let draft = emptyDraft(q);
  for (const n of [3, 1, 2, 2]) draft = choose(q, draft, 0, n);
  expect(answerOf(draft).items).toEqual([{ labels: ['a', 'c'], other: '' }]);
});

test('own words replace a single choice, stand beside several, and are never lost', () => {
  const one = ask(item(['a', 'b']));
  let draft = typeOther(one, choose(one, emptyDraft(one), 0, 1), 0, ' mine ');
  expect(answerOf(draft).items).toEqual([{ labels: [], other: 'mine' }]);
  draft = choose(one, draft, 0, 2);
  expect(answerOf(draft).items).toEqual([{ labels: ['b'], other: '' }]);
  expect(draft.items[0]?.other).toBe(' mine ');
  expect(answerOf(toggleOther(one, draft, 0)).items).toEqual([{ labels: [], other: 'mine' }]);

  const many = ask(item(['a', 'b'], true));
  draft = typeOther(many, choose(many, emptyDraft(many), 0, 1), 0, 'mine');
  expect(answerOf(draft).items).toEqual([{ labels: ['a'], other: 'mine' }]);
  expect(answerText(answerOf(draft))).toBe('a, mine');
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
  expect(answerOf(draft)).toEqual({ items: [], verdict: 'deny', text: 'too wide', by: '', at: 0 });
});
