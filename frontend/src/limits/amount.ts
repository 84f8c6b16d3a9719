// Amounts of limits as they are typed.

import type { beckon } from '../bridge';
import { store } from '../state';

/** The largest amount that is taken for meant. */
const most = 1e12;

/** amountOf reads an amount: 5, 5.50, 5,50, $5, 500k, 2M; 0 for none, undefined for what is no amount. */
export function amountOf(text: string): number | undefined {
  const words = text.replace(/[\s$]/g, '').toLowerCase();
  if (words === '') return 0;
  const parts = /^(\d{1,12})(?:[.,](\d{1,6}))?([km]?)$/.exec(words);
  if (!parts) return undefined;
  const factor = { '': 1, k: 1e3, m: 1e6 }[parts[3] ?? ''] ?? 1;
  const amount = Number(`${parts[1]}.${parts[2] ?? 0}`) * factor;
  return amount <= most ? Math.round(amount * 1e4) / 1e4 : undefined;
}

/** textOf is a limit as it is typed in a language; "" for none. */
export function textOf(limit: beckon.Limit | undefined, language: string): string {
  if (!limit || (limit.usd <= 0 && limit.tokens <= 0)) return '';
  if (limit.usd <= 0) return String(limit.tokens);
  const text = limit.usd.toFixed(Math.round(limit.usd * 100) / 100 === limit.usd ? 2 : 4);
  return language.startsWith('de') ? text.replace('.', ',') : text;
}

/** pricedAgent reports whether a kind of agent says what it costs; others have budgets in tokens. */
export function pricedAgent(agent: string): boolean {
  return agent === '' || store.about?.agents.find((kind) => kind.name === agent)?.cost === 'money';
}

/** limitOf is what was typed as a limit of a task of that kind of agent; undefined for none. */
export function limitOf(text: string, agent: string): beckon.Limit | undefined {
  const amount = amountOf(text);
  if (!amount) return undefined;
  return pricedAgent(agent) && !/[km]\s*$/i.test(text)
    ? { usd: amount, tokens: 0 }
    : { usd: 0, tokens: Math.round(amount) };
}
