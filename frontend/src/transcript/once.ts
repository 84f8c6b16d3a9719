// Why a turn failed is said once: the CLI says it as the agent's words, as a
// notice and as the turn's reason, and the panel below may say it too.

import type { Row } from './row';

/** sayOnce drops what repeats the reason of a failed turn; `told` is what is said beside the transcript. */
export function sayOnce(rows: Row[], told: string): Row[] {
  const repeats = new Set<Row>();
  rows.forEach((row, i) => {
    const reason =
      row.kind === 'turn' && row.entry.turn?.failed ? row.entry.turn.reason.trim() : '';
    if (reason !== '') for (const one of before(rows, i, reason)) repeats.add(one);
  });
  return rows.filter((row) => !repeats.has(row)).map((row) => unless(row, told));
}

/** The rows just before a turn's end that say its reason and nothing more. */
function before(rows: Row[], end: number, reason: string): Row[] {
  const list: Row[] = [];
  for (let i = end - 1; i >= 0; i--) {
    const row = rows[i]!;
    const api = row.kind === 'notice' && row.entry.notice === 'api_error';
    if (!api && !(row.kind === 'text' && same(row.entry.text, reason))) break;
    list.push(row);
  }
  return list;
}

function unless(row: Row, told: string): Row {
  if (told === '' || row.kind !== 'turn' || !row.entry.turn || !same(row.entry.turn.reason, told))
    return row;
  return { ...row, entry: { ...row.entry, turn: { ...row.entry.turn, reason: '' } } };
}

function same(a: string, b: string): boolean {
  return a.trim() !== '' && a.trim() === b.trim();
}
