import type { beckon } from '../bridge';
import { type MessageKey, t } from '../i18n/index.svelte';
import type { GlyphKind } from '../ui/Glyph.svelte';

const outcomes: Record<beckon.Outcome, MessageKey> = {
  succeeded: 'words.outcomeSucceeded',
  failed: 'words.outcomeFailed',
  stopped: 'words.outcomeStopped',
  limited: 'words.outcomeLimited',
  lost: 'words.outcomeLost',
  parked: 'words.outcomeParked',
};

/** What came of a run, or how far it is: the sign and the word. */
export function resultOf(run: beckon.Run): { glyph: GlyphKind; word: string } {
  if (run.outcome)
    return {
      glyph: run.outcome === 'succeeded' ? 'done' : 'failed',
      word: t(outcomes[run.outcome]),
    };
  if (run.phase === 'asking') return { glyph: 'needs', word: t('task.needsYou') };
  const word =
    run.phase === 'idle' ? 'task.idle' : run.phase === 'saving' ? 'words.saving' : 'task.running';
  return { glyph: 'running', word: t(word) };
}
