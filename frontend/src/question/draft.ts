// What a person has chosen and typed, before it is an answer.

import type { beckon } from '../bridge';

/** ItemDraft is what is chosen and typed for one item of an ask. */
export interface ItemDraft {
  labels: string[];
  other: string;
  /** Whether the typed words are part of the answer. */
  useOther: boolean;
}

/** Draft is everything a card keeps through navigation and reload. */
export interface Draft {
  items: ItemDraft[];
  page: number; // the item that is shown
  verdict: beckon.Answer['verdict'];
  text: string; // reason of a denial, or what to change in a plan
}

type Asked = Pick<beckon.Question, 'kind' | 'items'>;

/** emptyDraft chooses nothing. */
export function emptyDraft(q: Asked): Draft {
  return {
    items: q.items.map(() => ({ labels: [], other: '', useOther: false })),
    page: 0,
    verdict: '',
    text: '',
  };
}

/** choose chooses or, where several may be, toggles the option with a number from 1. */
export function choose(q: Asked, draft: Draft, page: number, number: number): Draft {
  const item = q.items[page];
  const label = item?.options[number - 1]?.label;
  if (!item || label === undefined) return draft;
  return replaceItem(draft, page, (d) => {
    if (!item.multiple) return { ...d, labels: [label], useOther: false };
    const labels = d.labels.includes(label) ? d.labels.filter((l) => l !== label) : [...d.labels, label];
    // In the order of the options, however they were pressed.
    return { ...d, labels: item.options.map((o) => o.label).filter((l) => labels.includes(l)) };
  });
}

/** typeOther takes the person's own words; typing them chooses them. */
export function typeOther(q: Asked, draft: Draft, page: number, other: string): Draft {
  const multiple = q.items[page]?.multiple ?? false;
  const useOther = other.trim() !== '';
  return replaceItem(draft, page, (d) => ({ labels: useOther && !multiple ? [] : d.labels, other, useOther }));
}

/** toggleOther takes the typed words in or out, without losing them. */
export function toggleOther(q: Asked, draft: Draft, page: number): Draft {
  const d = draft.items[page];
  if (!d?.other.trim()) return draft;
  if (d.useOther) return replaceItem(draft, page, (item) => ({ ...item, useOther: false }));
  return typeOther(q, draft, page, d.other);
}

function replaceItem(draft: Draft, page: number, change: (d: ItemDraft) => ItemDraft): Draft {
  return { ...draft, items: draft.items.map((d, i) => (i === page ? change(d) : d)) };
}

/** answered tells whether an item has an answer. */
export function answered(d: ItemDraft | undefined): boolean {
  return d !== undefined && (d.labels.length > 0 || (d.useOther && d.other.trim() !== ''));
}

/** complete tells whether the draft can be sent. */
export function complete(q: Asked, draft: Draft): boolean {
  if (q.items.length > 0) return draft.items.length === q.items.length && draft.items.every(answered);
  return draft.verdict !== '';
}

/** nextUnanswered returns the next item without an answer, going round, or -1. */
export function nextUnanswered(draft: Draft, page: number): number {
  const n = draft.items.length;
  for (let step = 1; step < n; step++) {
    const i = (page + step) % n;
    if (!answered(draft.items[i])) return i;
  }
  return -1;
}

/** instant tells whether one number is the whole answer: one question, one choice. */
export function instant(q: Asked): boolean {
  const [item, ...more] = q.items;
  return more.length === 0 && item !== undefined && !item.multiple && item.options.length > 0;
}

/** answerOf makes the answer that goes to the desk. */
export function answerOf(draft: Draft): beckon.Answer {
  const items = draft.items.map((d) => ({ labels: d.labels, other: d.useOther ? d.other.trim() : '' }));
  return { items, verdict: draft.verdict, text: draft.text.trim(), by: '', at: 0 };
}

/** answerText says an answer in a line, as the transcript shows it. */
export function answerText(answer: beckon.Answer): string {
  return answer.items
    .map((i) => [...i.labels, ...(i.other ? [i.other] : [])].join(', '))
    .filter(Boolean)
    .join(' · ');
}
