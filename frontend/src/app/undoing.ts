import { api, type beckon } from '../bridge';
import { ago } from '../i18n/ago';
import { t } from '../i18n/index.svelte';
import { changing } from '../question/changing.svelte';
import { lately, nameOf, undo, undoMs } from '../state';
import { toasts, type Toast } from '../ui/toasts.svelte';

/** A change of cards that is older, in milliseconds, was perhaps made on another page and is forgotten: it is named before it is taken back. */
const freshMs = 60_000;

/** Takes back what was done last: a change of cards, an answer, which opens to be changed, or what a screen did by itself. */
export async function undoLast(): Promise<void> {
  const answer = changing.last();
  const own = lately.at();
  const step = await api.undoNext().catch(() => undefined); // without Beckon nothing else can be taken back either, and says so
  if (
    (answer === undefined && own === undefined) ||
    (step !== undefined && step.at > Math.max(answer?.at ?? 0, own ?? 0))
  )
    return undoCards(step);
  if (own !== undefined && own > (answer?.at ?? 0)) return lately.undo();
  answer?.open();
}

/** The toast that names an old change, and when that was made. */
let named: { toast: Toast | undefined; at: number } | undefined;

/** Takes back a change of cards; an old one only at the second time, while its name is still shown. */
async function undoCards(step: beckon.ChangeStep | undefined): Promise<void> {
  const again = named !== undefined && named.toast === toasts.current && named.at === step?.at;
  named = undefined;
  if (step === undefined || step.kind === '' || again || Date.now() - step.at < freshMs)
    return undo();
  toasts.show(t('undo.old', { what: nameOf(step), when: ago(step.at, Date.now()) }), {
    ms: undoMs,
    action: { label: t('app.undo'), keys: 'Mod Z', run: () => void undo() },
  });
  named = { toast: toasts.current, at: step.at };
}
