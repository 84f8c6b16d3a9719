// Which item of a question a card shows, of those that are asked together.

import type { beckon } from '../bridge';
import type { Draft, ItemDraft } from './draft';

/** Paged is a card that shows one item of its question at a time. */
export abstract class Paged {
  abstract get q(): beckon.Question;
  abstract get draft(): Draft;

  get page(): number {
    return Math.max(0, Math.min(this.draft.page, this.q.items.length - 1));
  }

  get item(): beckon.QuestionItem | undefined {
    return this.q.items[this.page];
  }

  get itemDraft(): ItemDraft | undefined {
    return this.draft.items[this.page];
  }
}
