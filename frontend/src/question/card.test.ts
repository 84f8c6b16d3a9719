// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Card } from './card.svelte';
import { drafts } from './drafts.svelte';
import { store } from '../state';
import { changing } from './changing.svelte';
import { sending } from './sending.svelte';

/** What the person gives themselves to take an answer back, where they want that. */
const undoMs = 4000;
const posted: [string, beckon.Answer][] = [];
const changed: [string, number, beckon.Answer][] = [];
const held: [string, boolean][] = [];
const saved: [string, string][] = [];
vi.mock('../bridge', () => ({
  api: {
    holdQuestion: (id: string, on: boolean) => Promise.resolve(void held.push([id, on])),
    saveDraft: (id: string, text: string) => Promise.resolve(void saved.push([id, text])),
    answerQuestion: (id: string, answer: beckon.Answer) => {
      posted.push([id, answer]);
      return Promise.resolve();
    },
    changeAnswer: (id: string, changes: number, answer: beckon.Answer) =>
      Promise.resolve(void changed.push([id, changes, answer])),
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
    plan: '',
    form: '',
    message: '',
    origin: '',
    assumption: '',
    ruleId: '',
    policy: 'wait',
    asked: 0,
    deadline: 0,
    waitMs: 0,
    heldMs: 0,
    settlement: 'open',
    settled: 0,
    delivered: 0,
    ...with_,
  };
}
const option = (label: string) => ({ id: '', label, description: '', preview: '' });
const item = (multiple = false) => ({
  header: '',
  text: 'Which?',
  multiple,
  options: [option('A'), option('B')],
});
const permission = (destructive: boolean): Partial<beckon.Question> => ({
  kind: 'permission',
  permission: {
    tool: 'Bash',
    description: '',
    command: 'rm -rf x',
    path: '',
    diff: '',
    input: '{}',
    always: 'Bash(rm:*)',
    lasting: [],
    destructive,
  },
});

function press(card: Card, key: string): boolean {
  return card.press(key, new KeyboardEvent('keydown', { key }), true);
}

beforeEach(() => {
  vi.useFakeTimers();
  posted.length = changed.length = held.length = saved.length = 0;
});

// What one test holds back must not leave in the next.
afterEach(() => {
  vi.advanceTimersByTime(undoMs);
  store.settings = { ...store.settings, takeBackMs: 0 };
});

test('one key answers one question, at once, and it waits no more in that very moment', () => {
  const card = new Card(() => q);
  const q = question({ items: [item()] });
  store.questions.set(q.id, q);
  expect(store.waiting.map((one) => one.id)).toContain(q.id);
  expect(press(card, '2')).toBe(true);
  expect([posted.length, card.open, store.leaving.has(q.id)]).toEqual([1, false, true]);
  expect(store.waiting.map((one) => one.id)).not.toContain(q.id);
});

test('who gave themselves four seconds takes an answer back until then', () => {
  store.settings = { ...store.settings, takeBackMs: undoMs };
  const card = new Card(() => q);
  const q = question({ items: [item()] });
  expect(press(card, '2')).toBe(true);
  expect([posted.length, card.open, store.leaving.has(q.id)]).toEqual([0, false, false]);
  vi.advanceTimersByTime(undoMs);
  expect(posted).toEqual([
    [q.id, { items: [{ labels: ['B'], other: '' }], verdict: '', text: '', by: '', at: 0 }],
  ]);
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

test('a question that takes the place of one for which B was pressed has just come', () => {
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  dispatchEvent(new KeyboardEvent('keydown', { key: 'b' }));
  card.shown(); // another question, since the one before was answered elsewhere
  press(card, '1');
  expect([posted.length, card.itemDraft?.labels]).toEqual([0, []]);
  vi.advanceTimersByTime(400);
  dispatchEvent(new KeyboardEvent('keydown', { key: 'g' }));
  dispatchEvent(new KeyboardEvent('keydown', { key: 'b' }));
  card.shown();
  press(card, '1');
  expect(card.itemDraft?.labels).toEqual(['A']);
  dispatchEvent(new KeyboardEvent('keydown', { key: '1' })); // which is no move
});

test('several questions go on by themselves after a single choice, and are sent once all have an answer', () => {
  const q = question({ items: [item(), item(true)] });
  const card = new Card(() => q);
  expect(press(card, 'Enter')).toBe(false);
  press(card, '1');
  press(card, '1'); // pressed twice: the next one was not read yet
  expect([card.page, card.itemDraft?.labels]).toEqual([1, []]);
  expect(card.last).toBe(true);
  vi.advanceTimersByTime(400);
  press(card, 'K');
  press(card, '1'); // the same again, with the other still open
  expect(card.page).toBe(1);
  vi.advanceTimersByTime(1000);
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
  expect(card.armed).toBe(1);
  vi.advanceTimersByTime(3100);
  expect(card.armed).toBe(0);
  press(card, '1');
  press(card, '2');
  expect(card.armed).toBe(2);
  expect([card.open, posted.length]).toEqual([true, 0]);
  press(card, '2');
  expect(card.open).toBe(false);
});

test('the first press on what can destroy work chooses nothing, here or in another window', () => {
  const q = question(permission(true));
  const card = new Card(() => q);
  press(card, '1');
  card.pickChoice(2);
  expect([card.armed, card.draft.verdict, card.verdict]).toEqual([2, '', '']);
  vi.advanceTimersByTime(3100);
  expect(press(card, 'Enter')).toBe(false);
  expect([
    posted.length,
    saved.some(([id, text]) => id === q.id && /"verdict":"allow/.test(text)),
  ]).toEqual([0, false]);
  card.pickChoice(1);
  press(card, 'Enter');
  expect(posted[0]?.[1].verdict).toBe('allow');
});

test('a key that comes too soon moves the card and says why', () => {
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  card.shown();
  press(card, '1');
  expect([card.sight.shakes, card.sight.refused.includes('Key 1 did nothing'), card.open]).toEqual([
    1,
    true,
    true,
  ]);
});

test('a destructive wish is denied with one press, and with the reason that was typed', () => {
  const q = question(permission(true));
  const card = new Card(() => q);
  card.typeText('use a copy');
  press(card, 'Enter');
  expect(posted[0]?.[1]).toMatchObject({ verdict: 'deny', text: 'use a copy' });
});

test('no reason is asked for where a terminal takes none, and one that is written stays', () => {
  const q = question(permission(false));
  const card = new Card(() => q);
  const asked = (way: string) =>
    store.sessions.set('elsewhere', {
      id: 'elsewhere',
      asks: [{ questionId: q.id, way }],
    } as beckon.OutsideSession);
  asked('hook');
  expect(card.wordless).toBe(false);
  asked('keys');
  expect(card.wordless).toBe(true);
  expect(card.write()).toBe(false);
  expect(card.writing).toBe(false);
  card.typeText('Not there.');
  expect(card.wordless).toBe(false);
  store.sessions.delete('elsewhere');
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
  expect(JSON.parse(sessionStorage.getItem(`beckon.draft.${q.id}`) ?? '')).toMatchObject({
    items: [{ other: 'my own', useOther: true }],
  });
  expect(new Card(() => q).itemDraft?.other).toBe('my own');
  drafts.drop(q.id);
  expect(sessionStorage.getItem(`beckon.draft.${q.id}`)).toBeNull();
});

test('a permission for the project is a choice of its own, and says so', () => {
  const q = question({
    ...permission(false),
    permission: { ...permission(false).permission!, lasting: ['Bash(rm:*)'] },
  });
  const card = new Card(() => q);
  expect(card.choices.map((c) => `${c.verdict} ${c.project}`)).toEqual([
    'allow false',
    'allowAlways false',
    'allowAlways true',
    'deny false',
  ]);
  press(card, '3');
  vi.advanceTimersByTime(undoMs);
  expect(posted[0]?.[1]).toMatchObject({ verdict: 'allowAlways', project: true });
});

test('writing holds the clock once; who lets it go on while writing means it', () => {
  const q = question({ items: [item()], deadline: 9, waitMs: 9 });
  const card = new Card(() => q);
  card.pick(1);
  expect(held).toEqual([]);
  card.type('m');
  card.type('my');
  expect(held).toEqual([[q.id, true]]);
  card.hold();
  card.type('my own');
  expect(held).toHaveLength(2);
});

test('a clock that nothing drives is not held', () => {
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  expect(press(card, 'H')).toBe(false);
  card.type('mine');
  expect(held).toEqual([]);
});

test('a skipped question leaves after the time to take it back, where one is wanted', () => {
  store.settings = { ...store.settings, takeBackMs: undoMs };
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  expect(press(card, 'S')).toBe(true);
  expect(posted).toEqual([]);
  vi.advanceTimersByTime(undoMs);
  expect(posted[0]?.[1]).toMatchObject({ verdict: 'skip', items: [] });
});

test('a permission cannot be skipped, only denied', () => {
  const q = question(permission(false));
  const card = new Card(() => q);
  expect([press(card, 'S'), card.skippable]).toEqual([false, false]);
});

test('what ran out is answered by those who ask to, and by nobody else', () => {
  const q = question({ items: [item()], settlement: 'expired' });
  expect(press(new Card(() => q), '1')).toBe(false);
  const card = new Card(
    () => q,
    () => true,
  );
  press(card, '1');
  vi.advanceTimersByTime(undoMs);
  expect(posted[0]?.[0]).toBe(q.id);
});

test('an answer is changed by a choice and Enter, and names what it replaces', async () => {
  const answer = {
    items: [{ labels: ['A'], other: '' }],
    verdict: '',
    text: '',
    by: 'user',
    at: 5,
  } as beckon.Answer;
  const q = question({
    items: [item()],
    settlement: 'answered',
    answer,
    earlier: [answer],
    settled: 5,
  });
  const card = new Card(
    () => q,
    () => false,
    true,
  );
  expect(card.open, 'a task that is not there hears nothing').toBe(false);
  store.tasks.set('t', { id: 't', status: 'running' } as beckon.Task);
  expect(press(card, '2')).toBe(true);
  expect(changed, 'a number only chooses').toEqual([]);
  changing.id = q.id;
  expect(press(card, 'Enter')).toBe(true);
  expect(changed.map(([id, changes, a]) => [id, changes, a.items[0]?.labels])).toEqual([
    [q.id, 1, ['B']],
  ]);
  expect([posted.length, changing.id, card.open]).toEqual([0, '', false]);
  await vi.waitFor(() => expect(sending.of(q.id)?.state).toBe('sent'));
  store.tasks.delete('t');
});

test('a draft reaches Beckon when typing rests, and goes when it is not wanted', () => {
  const q = question({ items: [item()] });
  const card = new Card(() => q);
  card.type('m');
  card.type('mine');
  expect(saved).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(saved.map(([id, text]) => [id, text.includes('mine')])).toEqual([[q.id, true]]);
  drafts.drop(q.id);
  expect(saved.at(-1)).toEqual([q.id, '']);
});
