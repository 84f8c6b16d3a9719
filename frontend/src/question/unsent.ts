// When a question that is over stays on the page for the words that were
// written to it.

import type { beckon } from '../bridge';
import { waits } from '../state';
import { typedIn } from './draft';
import { drafts } from './drafts.svelte';
import { sending } from './sending.svelte';

/** hasUnsentWords reports whether a question is over and what was typed did not leave. */
export function hasUnsentWords(q: beckon.Question): boolean {
  if (sending.of(q.id)?.state === 'elsewhere') return true;
  if (waits(q) || sending.isSent(q.id)) return false;
  return typedIn(q, drafts.of(q)) !== '';
}
