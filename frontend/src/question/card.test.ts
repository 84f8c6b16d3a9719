// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Card } from './card.svelte';
import { drafts } from './drafts.svelte';
import { undoMs } from './outbox';

const posted: [string, beckon.Answer][] = [];
vi.mock('../bridge', () => ({
  api: {
    answerQuestion: (id: string, answer: beckon.Answer) => {
      posted.push([id, answer]);
      return Promise.resolve();
    },
  },
  asBeckonError: (e: unknown) => e,
}));

let n = 0;
function question(with_: Partial<beckon.Question>): beckon.Question {
  return {
    id: `q${n++}`,
    taskId: 't',
    runId: 'r',
    kind: 'ask',
    toolUseId: '',
    agent: '',
    items: [],
    plan: '', form: '', message: '', origin: '', assumption: '', ruleId: '',
    policy: 'wait',
    asked: 0,
    deadline: 0,
    waitMs: 0,
    heldMs: 0,
    settlement: 'open',
    settled: 0,
    reason: '',
    delivered: 0,
    ...with_,
  };
}
const option = (label: string) => ({ id: '', label, description: '', preview: '' });
const item = (multiple = false) => ({ header: '', text: 'Which?', multiple, options: [option('A'), option('B')] });
const permission = (destructive: boolean): Partial<beckon.Question> => ({
  kind: 'permission',
  permission: { tool: 'Bash', description: '', command: 'rm -rf x', path: '', diff: '', input: '{}', always: 'Bash(rm:*)', lasting: [], destructive },
});

function press(card: Card, key: string): boolean {
  return card.press(key, new KeyboardEvent('keydown', { key }), true);
}

beforeEach(() => {
  vi.useFakeTimers();
  posted.length = 0;
});

// What one test holds back must not leave in the next.
afterEach(() => void vi.advanceTimersByTime(undoMs));

test('one key answers one question, after the time to take it back', () => {
  const card = new Card(() => q);
  const q = question({ items: [item()] });
  expect(press(card, '2')).toBe(true);
  expect([posted.length, card.open]).toEqual([0, false]);
  vi.advanceTimersByTime(undoMs);
  expect(posted).toEqual([[q.id, { items: [{ labels: ['B'], other: '' }], verdict: '', text: '', by: '', at: 0 }]]);
});

test('a key meant for the question before answers nothing', () => {
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  card.shown();
  expect(press(card, '1')).toBe(true);
  expect(card.itemDraft?.labels).toEqual([]);
  vi.advanceTimersByTime(400);
  press(card, '1');
  expect(card.itemDraft?.labels).toEqual(['A']);
});

test('several questions are gone through with Enter and sent once all have an answer', () => {
  const q = question({ items: [item(), item(true)] });
  const card = new Card(() => q);
  expect(press(card, 'Enter')).toBe(false);
  press(card, '1');
  expect(card.last).toBe(false);
  press(card, 'Enter');
  expect(card.page).toBe(1);
  press(card, '2');
  press(card, '1');
  expect(posted).toEqual([]);
  press(card, 'Enter');
  expect(posted[0]?.[1].items).toEqual([
    { labels: ['A'], other: '' },
    { labels: ['A', 'B'], other: '' },
  ]);
});

test('a permission is given to nobody who only pressed Enter', () => {
  const q = question(permission(false));
  const card = new Card(() => q);
  expect([press(card, 'Enter'), card.draft.verdict]).toEqual([false, '']);
  press(card, '1');
  vi.advanceTimersByTime(undoMs);
  expect(posted[0]?.[1].verdict).toBe('allow');
});

test('what can destroy work takes two presses, close to each other', () => {
  const q = question(permission(true));
  const card = new Card(() => q);
  press(card, '1');
  expect(card.armed).toBe('allow');
  vi.advanceTimersByTime(3100);
  expect(card.armed).toBe('');
  press(card, '1');
  press(card, '2');
  expect(card.armed).toBe('allowAlways');
  expect([card.open, posted.length]).toEqual([true, 0]);
  press(card, '2');
  expect(card.open).toBe(false);
});

test('a destructive wish is denied with one press, and with the reason that was typed', () => {
  const q = question(permission(true));
  const card = new Card(() => q);
  card.typeText('use a copy');
  press(card, 'Enter');
  expect(posted[0]?.[1]).toMatchObject({ verdict: 'deny', text: 'use a copy' });
});

test('a plan is not sent back without a word, nor approved from afar', () => {
  const q = question({ kind: 'plan', plan: '# Plan' });
  const card = new Card(() => q);
  press(card, '2');
  expect([card.writing, card.open]).toEqual([true, true]);
  expect(card.press('Enter', new KeyboardEvent('keydown', { key: 'Enter' }), false)).toBe(false);
  card.typeText('smaller steps');
  press(card, 'Enter');
  expect(posted[0]?.[1]).toMatchObject({ verdict: 'deny', text: 'smaller steps' });
});

test('a draft outlives its card and the page', () => {
  const q = question({ items: [item()] });
  new Card(() => q).type('my own');
  expect(JSON.parse(sessionStorage.getItem(`beckon.draft.${q.id}`) ?? '')).toMatchObject({ items: [{ other: 'my own', useOther: true }] });
  expect(new Card(() => q).itemDraft?.other).toBe('my own');
  drafts.drop(q.id);
  expect(sessionStorage.getItem(`beckon.draft.${q.id}`)).toBeNull();
});
