// Drafts outlive the card that shows them: they survive going to another
// page, a reload, Beckon's restart, and a question that somebody else settled
// meanwhile. What is typed is in the page's own storage at once, and soon
// after with Beckon, for other windows and for later.

import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { type Draft, emptyDraft, readDraft } from './draft';

const prefix = 'beckon.draft.';

/** How long typing must rest before the draft goes to Beckon, in milliseconds. */
const restMs = 600;

class Drafts {
  #drafts = new SvelteMap<string, Draft>();
  /** What Beckon keeps, as text, by the ids of the questions. */
  #kept = new SvelteMap<string, string>();
  #timers = new Map<string, { timer: number; save: () => void }>();

  constructor() {
    // What is typed last must not wait for a rest that never comes.
    addEventListener('pagehide', () => this.#flush());
    document.addEventListener('visibilitychange', () => document.hidden && this.#flush());
  }

  /** Reads what Beckon keeps; what was typed here since is newer. */
  async load(): Promise<void> {
    const kept = await api.drafts();
    for (const { questionId, text } of kept) this.#kept.set(questionId, text);
  }

  /** The draft of a question; an empty one where nothing was begun. */
  of(q: beckon.Question): Draft {
    return this.#drafts.get(q.id) ?? readDraft(q, stored(q.id)) ?? readDraft(q, this.#kept.get(q.id) ?? null) ?? emptyDraft(q);
  }

  set(q: beckon.Question, draft: Draft): void {
    this.#drafts.set(q.id, draft);
    const text = JSON.stringify(draft);
    store(q.id, text);
    this.#later(q.id, () => void api.saveDraft(q.id, text).catch(() => {})); // the page's own copy is left
  }

  /** Forgets a draft that was sent or is not wanted any more. */
  drop(id: string): void {
    const begun = this.#drafts.has(id) || this.#kept.has(id) || stored(id) !== null;
    clearTimeout(this.#timers.get(id)?.timer);
    this.#timers.delete(id);
    this.#drafts.delete(id);
    this.#kept.delete(id);
    store(id, '');
    if (begun) void api.saveDraft(id, '').catch(() => {});
  }

  #later(id: string, save: () => void): void {
    clearTimeout(this.#timers.get(id)?.timer);
    const now = () => {
      this.#timers.delete(id);
      save();
    };
    this.#timers.set(id, { timer: window.setTimeout(now, restMs), save: now });
  }

  #flush(): void {
    for (const { timer, save } of [...this.#timers.values()]) {
      clearTimeout(timer);
      save();
    }
  }
}

function stored(id: string): string | null {
  try {
    return sessionStorage.getItem(prefix + id);
  } catch {
    return null;
  }
}

function store(id: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(prefix + id);
    else sessionStorage.setItem(prefix + id, text);
  } catch {
    // The storage is full or forbidden: memory and Beckon keep the draft.
  }
}

/** The page's drafts. */
export const drafts = new Drafts();
