// Drafts outlive the card that shows them: they survive going to another
// page, a reload, and a question that somebody else settled meanwhile.

import { SvelteMap } from 'svelte/reactivity';
import type { beckon } from '../bridge';
import { type Draft, emptyDraft } from './draft';

const prefix = 'beckon.draft.';

class Drafts {
  #drafts = new SvelteMap<string, Draft>();

  /** The draft of a question; an empty one where nothing was begun. */
  of(q: beckon.Question): Draft {
    return this.#drafts.get(q.id) ?? stored(q) ?? emptyDraft(q);
  }

  set(q: beckon.Question, draft: Draft): void {
    this.#drafts.set(q.id, draft);
    try {
      sessionStorage.setItem(prefix + q.id, JSON.stringify(draft));
    } catch {
      // The storage is full or forbidden: the draft lives in memory alone.
    }
  }

  /** Forgets a draft that was sent or is not wanted any more. */
  drop(id: string): void {
    this.#drafts.delete(id);
    try {
      sessionStorage.removeItem(prefix + id);
    } catch {
      // Forbidden storage holds nothing.
    }
  }
}

/** stored reads what a page before this one kept, if it fits the question. */
function stored(q: beckon.Question): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(prefix + q.id) ?? 'null') as Draft | null;
    if (draft === null || draft.items.length !== q.items.length) return undefined;
    return draft;
  } catch {
    return undefined;
  }
}

/** The page's drafts. */
export const drafts = new Drafts();
