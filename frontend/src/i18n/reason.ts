// Why something did not go on, in words.
import { has, t, type MessageKey } from './index.svelte';

/** As Go's `reason.Reason` arrives. */
export interface Reason {
  code: string;
  args?: Record<string, string>;
  said?: string;
  why?: Reason;
}

/** A reason in the language of the page, empty for none; words that are not Beckon's stay as they are. */
export function said(reason: Reason | null | undefined): string {
  if (!reason) return '';
  const why = said(reason.why);
  if (!reason.code) return lines(reason.said ?? '', why);
  const key = [`reasons.${reason.code}`, `errors.${reason.code}`].find(has);
  if (!key) return lines(reason.code, why);
  const text = filled(key, reason.args ?? {}, why);
  return t(key).includes('{why}') ? text : lines(text, why);
}

/** A message with its values, and with why in its hole, if it has one. */
export function filled(key: MessageKey, values: Record<string, string>, why: string): string {
  return t(key, { ...inWords(values), why });
}

function lines(...all: string[]): string {
  return all.filter(Boolean).join('\n');
}

/** The values of a sentence, with statuses by the names of their columns. */
function inWords(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'from' || name === 'to' ? column(value) : value,
    ]),
  );
}

function column(status: string): string {
  const key = `words.${status}`;
  return has(key) ? t(key) : status;
}
