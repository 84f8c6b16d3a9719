// What a person has chosen and typed, before it is an answer.

import type { beckon } from '../bridge';
import { contentOf, fieldsOf, type Filled, problemsOf } from './schema';

/** ItemDraft is what is chosen and typed for one item of an ask. */
export interface ItemDraft {
  labels: string[];
  other: string;
  /** Whether the typed words are part of the answer. */
  useOther: boolean;
  /** A remark on what was chosen. */
  note: string;
}

/** Draft is everything a card keeps through navigation, reload and restart. */
export interface Draft {
  items: ItemDraft[];
  page: number; // the item that is shown
  verdict: beckon.Answer['verdict'];
  text: string; // reason of a denial, or what to change in a plan
  /** A plan as the person edits it; null while it is read. */
  plan: string | null;
  /** What to go on in after a plan; empty for the mode that stands. */
  mode: beckon.PermissionMode | '';
  /** Whether "allow always" is for the project. */
  project: boolean;
  /** Whether the answer is to stand for the next time, too. */
  standing: boolean;
  /** What is filled in of an elicitation's form, by the names of its fields. */
  form: Filled;
}

type Asked = Pick<beckon.Question, 'kind' | 'items'> &
  Partial<Pick<beckon.Question, 'plan' | 'form'>>;

/** emptyDraft chooses nothing. */
export function emptyDraft(q: Asked): Draft {
  return {
    items: q.items.map(() => ({ labels: [], other: '', useOther: false, note: '' })),
    page: 0,
    verdict: '',
    text: '',
    plan: null,
    mode: '',
    project: false,
    standing: false,
    form: Object.fromEntries(
      fieldsOf(q.form ?? '').flatMap((f) => (f.initial === undefined ? [] : [[f.name, f.initial]])),
    ),
  };
}

/** readDraft reads a draft that was kept as text; undefined where it does not fit the question. */
export function readDraft(q: Asked, kept: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(kept ?? 'null') as Partial<Draft> | null;
    if (draft === null || !Array.isArray(draft.items) || draft.items.length !== q.items.length)
      return undefined;
    const empty = emptyDraft(q);
    return { ...empty, ...draft, items: draft.items.map((d, i) => ({ ...empty.items[i]!, ...d })) };
  } catch {
    return undefined;
  }
}

/** typedIn is every word in a draft that would be a loss. */
export function typedIn(q: Asked, draft: Draft): string {
  const plan = draft.plan === q.plan ? '' : (draft.plan ?? '');
  const texts = [...draft.items.flatMap((d) => [d.other, d.note]), draft.text, plan];
  return texts.filter((text) => text.trim()).join('\n\n');
}

/** choose chooses or, where several may be, toggles the option with a number from 1. */
export function choose(q: Asked, draft: Draft, page: number, number: number): Draft {
  const item = q.items[page];
  const label = item?.options[number - 1]?.label;
  if (!item || label === undefined) return draft;
  return replaceItem(draft, page, (d) => {
    if (!item.multiple) return { ...d, labels: [label], useOther: false };
    const labels = d.labels.includes(label)
      ? d.labels.filter((l) => l !== label)
      : [...d.labels, label];
    // In the order of the options, however they were pressed.
    return { ...d, labels: item.options.map((o) => o.label).filter((l) => labels.includes(l)) };
  });
}

/** typeOther takes the person's own words; typing them chooses them. */
export function typeOther(q: Asked, draft: Draft, page: number, other: string): Draft {
  const multiple = q.items[page]?.multiple ?? false;
  const useOther = other.trim() !== '';
  return replaceItem(draft, page, (d) => ({
    ...d,
    labels: useOther && !multiple ? [] : d.labels,
    other,
    useOther,
  }));
}

/** toggleOther takes the typed words in or out, without losing them. */
export function toggleOther(q: Asked, draft: Draft, page: number): Draft {
  const d = draft.items[page];
  if (!d?.other.trim()) return draft;
  if (d.useOther) return replaceItem(draft, page, (item) => ({ ...item, useOther: false }));
  return typeOther(q, draft, page, d.other);
}

/** remark keeps a note beside what was chosen. */
export function remark(draft: Draft, page: number, note: string): Draft {
  return replaceItem(draft, page, (d) => ({ ...d, note }));
}

function replaceItem(draft: Draft, page: number, change: (d: ItemDraft) => ItemDraft): Draft {
  return { ...draft, items: draft.items.map((d, i) => (i === page ? change(d) : d)) };
}

/** answered reports whether an item has an answer. */
export function answered(d: ItemDraft | undefined): boolean {
  return d !== undefined && (d.labels.length > 0 || (d.useOther && d.other.trim() !== ''));
}

/** complete reports whether the draft can be sent. */
export function complete(q: Asked, draft: Draft): boolean {
  if (draft.verdict === 'skip') return true;
  if (q.items.length > 0)
    return draft.items.length === q.items.length && draft.items.every(answered);
  if (q.kind === 'elicitation' && draft.verdict === 'allow')
    return problemsOf(fieldsOf(q.form ?? ''), draft.form).size === 0;
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

/** instant reports whether one number is the whole answer: one question, one choice. */
export function instant(q: Asked): boolean {
  const [item, ...more] = q.items;
  return more.length === 0 && item !== undefined && !item.multiple && item.options.length > 0;
}

/** mayStand reports whether the draft could be a rule: one question, answered by its options alone. */
export function mayStand(q: Asked, draft: Draft): boolean {
  return (
    q.items.length === 1 &&
    (q.items[0]?.options.length ?? 0) > 0 &&
    draft.items[0]?.useOther !== true
  );
}

/** answerOf makes the answer that goes to the desk. */
export function answerOf(q: Asked, draft: Draft): beckon.Answer {
  const answer: beckon.Answer = {
    items: [],
    verdict: draft.verdict,
    text: draft.text.trim(),
    by: '',
    at: 0,
  };
  if (draft.verdict === 'skip') return answer;
  if (q.kind === 'elicitation')
    return draft.verdict === 'allow'
      ? { ...answer, content: contentOf(fieldsOf(q.form ?? ''), draft.form) }
      : answer;
  if (q.kind === 'permission')
    return draft.verdict === 'allowAlways' && draft.project ? { ...answer, project: true } : answer;
  if (q.kind === 'plan')
    return draft.verdict === 'allow' ? { ...answer, text: '', ...approval(q, draft) } : answer;
  const items = draft.items.map((d) => {
    const note = d.note.trim();
    return { labels: d.labels, other: d.useOther ? d.other.trim() : '', ...(note ? { note } : {}) };
  });
  return { ...answer, items, ...(draft.standing && mayStand(q, draft) ? { standing: true } : {}) };
}

/** What goes along with an approved plan: how it was edited, and the mode to go on in. */
function approval(q: Asked, draft: Draft): Partial<beckon.Answer> {
  const edited = draft.plan !== null && draft.plan.trim() !== '' && draft.plan !== q.plan;
  return {
    ...(edited ? { plan: draft.plan ?? '' } : {}),
    ...(draft.mode ? { mode: draft.mode } : {}),
  };
}

/** answerText says an answer in a line, as the transcript shows it. */
export function answerText(answer: beckon.Answer): string {
  return answer.items
    .map((i) => [...i.labels, ...(i.other ? [i.other] : [])].join(', '))
    .filter(Boolean)
    .join(' · ');
}
