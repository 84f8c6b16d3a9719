// Drafts outlive the card that shows them: they survive going to another
// page, a reload, Beckon's restart, and a question that somebody else settled
// meanwhile.

import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { DraftStore } from '../state/draftStore.svelte';
import { type Draft, emptyDraft, readDraft } from './draft';

class Drafts {
  #drafts = new SvelteMap<string, Draft>();
  #store = new DraftStore('beckon.draft.', (id) => {
    const draft = this.#drafts.get(id);
    return api.saveDraft(id, draft ? JSON.stringify(draft) : '');
  });

  /** Reads what Beckon keeps; what was typed here since is newer. */
  async load(): Promise<void> {
    const kept = await api.drafts();
    this.#store.load(
      kept
        .filter((one) => one.questionId !== '')
        .map(({ questionId, text }) => ({ id: questionId, text })),
    );
  }

  /** The draft of a question; an empty one where nothing was begun. */
  of(q: beckon.Question): Draft {
    return (
      this.#drafts.get(q.id) ??
      readDraft(q, this.#store.stored(q.id)) ??
      readDraft(q, this.#store.kept(q.id)) ??
      emptyDraft(q)
    );
  }

  set(q: beckon.Question, draft: Draft): void {
    this.#drafts.set(q.id, draft);
    this.#store.set(q.id, JSON.stringify(draft));
  }

  /** Forgets a draft that was sent or is not wanted any more. */
  drop(id: string): void {
    this.#store.drop(id, this.#drafts.delete(id));
  }
}

/** The page's drafts. */
export const drafts = new Drafts();
