import type { beckon } from '../bridge';
import type { MessageKey } from '../i18n/index.svelte';

/** Who or what said what was found. */
export const kinds: Record<beckon.EntryKind, MessageKey> = {
  user: 'search.kindUser',
  text: 'search.kindText',
  thinking: 'search.kindThinking',
  tool: 'search.kindTool',
  question: 'search.kindQuestion',
  notice: 'search.kindNotice',
  turn: 'search.kindTurn',
};
