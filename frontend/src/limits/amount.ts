// Amounts of limits as they are typed.

import type { beckon } from '../bridge';
import { store } from '../state';

type Unit = 'usd' | 'tokens';

/** The largest limits, as the back end takes them. */
const most = { usd: 1e6, tokens: 1e12 };

/**
 * amountOf reads an amount of dollars, 5, 5.50, 5,50, $5, or of tokens, 1500, 1,500, 1.500, 500k, 2M:
 * 0 for none, undefined for what is no amount or too large.
 */
export function amountOf(text: string, unit: Unit): number | undefined {
  let words = text.replace(unit === 'usd' ? /[\s$]/g : /\s/g, '').toLowerCase();
  if (words === '') return 0;
  if (unit === 'tokens' && /^\d{1,3}([.,]\d{3})+$/.test(words)) words = words.replace(/[.,]/g, '');
  const parts = /^(\d{1,13})(?:[.,](\d{1,6}))?([km]?)$/.exec(words);
  if (!parts) return undefined;
  const factor = { '': 1, k: 1e3, m: 1e6 }[parts[3] ?? ''] ?? 1;
  const amount = Number(`${parts[1]}.${parts[2] ?? 0}`) * factor;
  if (amount > most[unit]) return undefined;
  return unit === 'tokens' ? Math.round(amount) : Math.round(amount * 1e4) / 1e4;
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

/** limitOf is what was typed as a limit of a task of that kind of agent: zeros for none, undefined for what is no amount. */
export function limitOf(text: string, agent: string): beckon.Limit | undefined {
  const unit =
    pricedAgent(agent) && (text.includes('$') || !/[km]\s*$/i.test(text)) ? 'usd' : 'tokens';
  const amount = amountOf(text, unit);
  return amount === undefined ? undefined : { usd: 0, tokens: 0, [unit]: amount };
}
