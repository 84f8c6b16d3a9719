import { untrack } from 'svelte';
import { asBeckonError, type BeckonError } from '../bridge';
import { has, t, translated } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';
import { store } from './store.svelte';

/**
 * Does what the person asked for and shows a toast where it fails; for some
 * errors, by their problem or else their code, something else can be done
 * instead. Returns whether it went well.
 */
export async function attempt(
  what: () => Promise<unknown>,
  instead: Record<string, (error: BeckonError) => void> = {},
): Promise<boolean> {
  const asked = untrack(() => store.connection) === 'open'; // an effect that attempts does not do so again for that
  try {
    await what();
    return true;
  } catch (thrown) {
    const error = asBeckonError(thrown);
    const other = instead[error.problem] ?? instead[error.code];
    if (other) other(error);
    // It may have got there, and only its reply not back.
    else
      toasts.show(asked && error.code === 'unreachable' ? t('app.mayBeDone') : explain(error), {
        tone: 'bad',
        ms: 8000,
      });
    return false;
  }
}

/** An error in the person's language: its own sentence, or what kind it is with the English detail. */
export function explain(error: BeckonError): string {
  if (error.code === 'unreachable')
    return t(store.connection === 'open' ? 'app.noReply' : 'app.unreachable');
  const own = `errors.${error.problem}`;
  if (has(own)) return t(own, inWords(error.data));
  return t(`errors.${error.code}`, { detail: sentence(error.message).text });
}

/** The values of a sentence, with statuses by the names of their columns, and reasons as sentences. */
function inWords(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name === 'from' || name === 'to'
        ? column(value)
        : name === 'why'
          ? sentence(value).text
          : value,
    ]),
  );
}

function column(status: string): string {
  const key = `words.${status}`;
  return has(key) ? t(key) : status;
}

// The words that Go's errors are compared by come last in their texts.
const codes = /(?:: (not found|conflict|invalid|untrusted|unavailable|unmerged))+$/;

/**
 * Go's errors begin small and may end in the word that programs compare them
 * by. What a person reads begins with a capital, and is in their language
 * where Beckon wrote it; the word stands apart.
 */
export function sentence(said: string): { text: string; code: string } {
  const found = codes.exec(said);
  const text = said.slice(0, found?.index);
  return { text: translated(text.charAt(0).toUpperCase() + text.slice(1)), code: found?.[1] ?? '' };
}
