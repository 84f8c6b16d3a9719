import { api, asBeckonError, type beckon } from '../bridge';
import { has, t } from '../i18n/index.svelte';
import { toasts, type ToastAction } from '../ui/toasts.svelte';
import { attempt, explain } from './attempt';

/** How long a toast stays that can take something back. */
export const undoMs = 10_000;

/** What a toast offers that says of a change: to take back the last one of its card. */
export function undoOf(taskId: string): ToastAction {
  return { label: t('app.undo'), keys: 'Mod Z', run: () => void undo(taskId) };
}

let underWay: Promise<unknown> = Promise.resolve();

/** Has undo be asked for after a change of many cards, so that it takes back that one. */
export function follows<T>(change: Promise<T>): Promise<T> {
  underWay = Promise.allSettled([underWay, change]);
  return change;
}

/** Takes back what was changed last on cards, or on one card; says what that was, and of which cards it could not. */
export async function undo(taskId = ''): Promise<void> {
  await attempt(async () => {
    await underWay;
    const result = await api.undo(taskId);
    if (result.step.kind === '') toasts.show(t('undo.nothing'));
    else
      tell(
        result,
        (what) => t('undo.done', { what }),
        result.step.keys.length === 0
          ? undefined
          : { label: t('app.redo'), keys: 'Mod Shift Z', run: () => void redo() },
      );
  });
}

/** Does again what was taken back last; says what that was, and of which cards it could not. */
export async function redo(): Promise<void> {
  await attempt(async () => {
    await underWay;
    const result = await api.redo();
    if (result.step.kind === '') toasts.show(t('undo.nothingAgain'));
    else
      tell(
        result,
        (what) => t('undo.doneAgain', { what }),
        result.step.taskIds[0] === undefined ? undefined : undoOf(result.step.taskIds[0]),
      );
  });
}

/** Says what a change, or taking one back, came true for, and why it did not for the others. */
export function tell(
  { step, refused }: beckon.ChangeResult,
  words: (what: string) => string,
  action?: ToastAction,
): void {
  const said = [
    ...(step.keys.length > 0 ? [capital(words(nameOf(step)))] : []),
    ...(refused.length > 0 ? [why(refused, step.keys.length + refused.length)] : []),
  ].join('. ');
  toasts.show(said, {
    tone: refused.length > 0 ? 'bad' : 'ok',
    ms: undoMs,
    ...(action && { action }),
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "archived KES-4", "archived 5 tasks". */
export function nameOf({ kind, keys }: beckon.ChangeStep): string {
  const name = `undo.${kind}`;
  const cards = keys.length === 1 ? keys[0]! : t('words.tasks', { n: keys.length });
  return has(name) ? t(name, { cards }) : cards;
}

/** Why cards stayed as they were: in full for the first, by their keys for others. */
function why(refused: beckon.ChangeRefusal[], all: number): string {
  const [first, ...others] = refused;
  const reason = explain(asBeckonError(JSON.stringify(first!.why)));
  if (all === 1) return reason;
  const keys = [first!.key, ...others.map((one) => one.key)].join(', ');
  return t('undo.refused', { n: refused.length, all, keys, why: reason });
}
