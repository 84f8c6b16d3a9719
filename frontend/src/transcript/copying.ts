// Entries as markdown, for the clipboard.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { plain } from '../text/plain';
import type { Row } from './row';
import { entriesOf } from './rows';

/** markdownOf writes entries down one after the other. */
export function markdownOf(entries: beckon.Entry[]): string {
  return entries.map(one).filter(Boolean).join('\n\n');
}

function one(entry: beckon.Entry): string {
  if (entry.tool) return call(entry.tool);
  const text = plain(entry.text).trim();
  if (entry.kind === 'user') return text && quote(`**${t('transcript.you')}:** ${text}`);
  if (entry.kind === 'thinking') return text && quote(text);
  return entry.kind === 'text' ? text : '';
}

function call(tool: beckon.ToolCall): string {
  const target = plain(tool.target);
  const parts = [`**${plain(tool.name)}**${target ? ` ${code(target)}` : ''}`];
  if (tool.diff) parts.push(fence('diff', plain(tool.diff)));
  else if (tool.result.trim()) parts.push(fence('', plain(tool.result).trimEnd()));
  return parts.join('\n\n');
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** Backticks in a text need longer ones around it. */
function longest(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function code(text: string): string {
  const ticks = '`'.repeat(longest(text) + 1);
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function fence(language: string, text: string): string {
  const ticks = '`'.repeat(Math.max(3, longest(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** hasCode tells, at a glance, whether codeOf has something to return: it is asked of every row that comes into view. */
export function hasCode(row: Row): boolean {
  const [entry, ...others] = entriesOf(row);
  if (!entry || others.length > 0) return false;
  return entry.tool
    ? entry.tool.diff !== '' || entry.tool.result !== ''
    : entry.text.includes('```') || entry.text.includes('~~~');
}

/** codeOf returns the blocks of code in a row, or the output of its one call. */
export function codeOf(row: Row): string {
  const [entry] = entriesOf(row);
  if (!entry) return '';
  if (entry.tool) return plain(entry.tool.diff || entry.tool.result).trimEnd();
  const kept: string[] = [];
  let fence = '';
  for (const line of plain(entry.text).split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    else kept.push(line);
  }
  return kept.join('\n');
}

/** turnOf returns the entries from what the user said up to what they said next. */
export function turnOf(entries: beckon.Entry[], of: beckon.Entry): beckon.Entry[] {
  const at = entries.findIndex((entry) => entry.runId === of.runId && entry.id === of.id);
  const begins = (entry: beckon.Entry) => entry.kind === 'user' && entry.parent === '';
  let from = at;
  while (from > 0 && !begins(entries[from]!)) from--;
  let to = at + 1;
  while (to < entries.length && !begins(entries[to]!)) to++;
  return entries.slice(Math.max(0, from), to);
}
