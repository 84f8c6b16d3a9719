// What a key does in the composer. Pure, so that the table of it is a test.

/** What the composer is asked to do; "" leaves the key to the field. */
export type Act = 'send' | 'queue' | 'interrupt' | 'leave' | 'older' | 'newer' | 'accept' | 'next' | 'previous' | 'shut' | '';

/** What the meaning of a key depends on. */
export interface Situation {
  /** Whether completions are shown. */
  completing: boolean;
  /** Whether the field is empty. */
  empty: boolean;
  /** Whether what is in the field was said before, and is shown again. */
  walking: boolean;
  /** Whether there is a turn to interrupt. */
  busy: boolean;
}

/** Key is what is read of the browser's event. */
export type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'keyCode'>;

// WebKit ends a composition before it tells of the key that ended it; only
// this code says that the key was the input method's.
const composing = 229;

/** actOf tells what a key does. */
export function actOf(key: Key, at: Situation): Act {
  if (key.isComposing || key.keyCode === composing) return '';
  if (at.completing) {
    const act = chosen(key);
    if (act !== '') return act;
  }
  switch (key.key) {
    case 'Escape':
      // Who wrote something leaves it, and stops nobody by that.
      return at.busy && at.empty ? 'interrupt' : 'leave';
    case 'Enter':
      if (key.shiftKey) return '';
      return key.altKey ? 'queue' : 'send';
    case 'ArrowUp':
      return bare(key) && (at.empty || at.walking) ? 'older' : '';
    case 'ArrowDown':
      return bare(key) && at.walking ? 'newer' : '';
    default:
      return '';
  }
}

function chosen(key: Key): Act {
  if (!bare(key)) return '';
  const acts: Record<string, Act> = { ArrowDown: 'next', ArrowUp: 'previous', Enter: 'accept', Tab: 'accept', Escape: 'shut' };
  return acts[key.key] ?? '';
}

function bare(key: Key): boolean {
  return !key.shiftKey && !key.altKey && !key.ctrlKey && !key.metaKey;
}
