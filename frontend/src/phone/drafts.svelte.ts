// What was chosen and typed and is not sent yet, by question.

import { SvelteMap } from 'svelte/reactivity';
import type { beckon } from '../bridge';
import { type Draft, emptyDraft, readDraft } from '../question/draft';
import { keep, kept, namesOf } from './kept';

class Drafts {
  #drafts = new SvelteMap<string, Draft>();

  of(q: beckon.Question): Draft {
    return (
      this.#drafts.get(q.id) ??
      readDraft(q, JSON.stringify(kept(`draft.${q.id}`) ?? null)) ??
      emptyDraft(q)
    );
  }

  set(id: string, draft: Draft): void {
    this.#drafts.set(id, draft);
    keep(`draft.${id}`, draft);
  }

  drop(id: string): void {
    this.#drafts.delete(id);
    keep(`draft.${id}`, undefined);
  }

  /** Drops those of questions that nobody asks any more, and this page does not show. */
  tidy(wanted: (id: string) => boolean): void {
    for (const name of namesOf('draft.')) {
      const id = name.slice('draft.'.length);
      if (!wanted(id)) this.drop(id);
    }
  }
}

export const drafts = new Drafts();
