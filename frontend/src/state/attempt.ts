import { untrack } from 'svelte';
import { asBeckonError, type BeckonError } from '../bridge';
import { has, t } from '../i18n/index.svelte';
import { filled, said } from '../i18n/reason';
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

/** An error in the person's language: its own sentence, or what kind it is with its reason or the English detail. */
export function explain(error: BeckonError): string {
  if (error.code === 'unreachable')
    return t(store.connection === 'open' ? 'app.noReply' : 'app.unreachable');
  const own = `errors.${error.problem}`;
  const why = said(error.why);
  if (has(own)) return filled(own, error.data, why);
  return t(`errors.${error.code}`, { detail: why || sentence(error.message) });
}

// The words that Go's errors are compared by come last in their texts.
const codes = /(?:: (not found|conflict|invalid|untrusted|unavailable|unmerged))+$/;

/** Go's errors begin small and may end in the word that programs compare them by; what a person reads does not. */
export function sentence(text: string): string {
  const found = text.replace(codes, '');
  return found.charAt(0).toUpperCase() + found.slice(1);
}
