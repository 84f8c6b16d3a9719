// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { Card } from './card.svelte';
import { sending } from './sending.svelte';
import type { Asked } from './types';

let n = 0;
const option = (label: string, preview = '') => ({ id: '', label, description: '', preview });
const item = (multiple = false, preview = '') => ({
  header: '',
  text: 'Which?',
  multiple,
  options: [option('A', preview), option('B')],
});

function card(more: Partial<beckon.Question>): Card {
  const question = {
    id: `q${n++}`,
    kind: 'ask',
    items: [],
    heldMs: 0,
    deadline: 0,
    plan: '',
    ...more,
  };
  return new Card(() => ({ question, key: 'KES-1', project: {}, task: '' }) as unknown as Asked);
}

const answer = vi.spyOn(sending, 'answer').mockImplementation(() => {});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  answer.mockClear();
});

test('one tap answers one question; several go on by themselves, and are sent by a press', () => {
  expect(card({ items: [item()] }).tap(2)).toBe(true);
  expect(answer.mock.calls[0]?.[1].items[0]?.labels).toEqual(['B']);

  const both = card({ items: [item(), item()] });
  expect(both.tap(1)).toBe(false);
  expect(both.page).toBe(1);
  both.tap(2); // a double tap, which nobody means for what has just come
  expect(both.itemDraft?.labels).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(both.tap(2)).toBe(false);
  expect(both.itemDraft?.labels).toEqual(['B']);
  expect(answer).toHaveBeenCalledTimes(1);
  expect(both.goOn()).toBe(true);
});

test('what may be chosen together, or has something to read, is sent by a press alone', () => {
  for (const one of [item(true), item(false, 'code')]) {
    const shown = card({ items: [one] });
    expect(shown.tap(1)).toBe(false);
    expect(shown.goOn()).toBe(true);
  }
});

test('a permission takes one tap, one that destroys two, and a change of a plan its words', () => {
  const wish = (destructive: boolean) =>
    card({
      kind: 'permission',
      permission: { destructive, always: '' } as beckon.PermissionRequest,
    });
  expect(wish(false).tap(1)).toBe(true);
  const destroys = wish(true);
  expect(destroys.tap(1)).toBe(false);
  expect(destroys.armed).toBe(true);
  expect(destroys.goOn()).toBe(true);

  const plan = card({ kind: 'plan', plan: 'Read' });
  const change = plan.choices.length;
  expect(plan.tap(change)).toBe(false);
  plan.typeText('Read less');
  expect(plan.tap(change)).toBe(true);
  expect(card({ kind: 'plan', plan: 'Read' }).tap(1)).toBe(true);
});
