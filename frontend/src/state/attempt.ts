import { asBeckonError, type BeckonError } from '../bridge';
import { t } from '../i18n/index.svelte';
import { toasts } from '../ui/toasts.svelte';

/**
 * Does what the person asked for and shows a toast where it fails. Returns
 * whether it went well.
 */
export async function attempt(what: () => Promise<unknown>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (thrown) {
    toasts.show(explain(asBeckonError(thrown)), { tone: 'bad', ms: 8000 });
    return false;
  }
}

/** An error in words for the person. */
export function explain(error: BeckonError): string {
  if (error.code === 'unreachable') return t('app.unreachable');
  return sentence(error.message);
}

/** Go's errors begin small; what a person reads begins with a capital. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
