// What the fake finds in its sessions: words, places to go to, pictures.
import type * as beckon from '../types';
import { sampleEntries } from './transcript';

function textOf({ text, tool }: beckon.Entry): string {
  return tool ? `${tool.target} ${tool.result}` : text;
}

/** Finds entries that have the words in one piece, newest first. */
export function search(tasks: beckon.Task[], query: beckon.SearchQuery, now: number): beckon.SearchPage {
  const words = query.text.trim().toLowerCase();
  const asked = tasks.filter((task) => (!query.taskId || task.id === query.taskId) && (!query.projectId || task.projectId === query.projectId));
  const hits = asked.flatMap((task) => (words ? sampleEntries(task.id, now).toReversed().flatMap((entry) => hitOf(task.id, entry, words)) : []));
  return { hits: hits.filter((hit) => !query.kind || hit.kind === query.kind).slice(0, query.limit), elsewhere: [], before: '', behind: 0 };
}

function hitOf(taskId: string, entry: beckon.Entry, words: string): beckon.Hit[] {
  const { runId, pos, part, kind, at } = entry;
  const snippet = textOf(entry).slice(0, 240);
  const from = snippet.toLowerCase().indexOf(words);
  return from < 0 ? [] : [{ taskId, runId, pos, part, kind, at, snippet, marks: [from, from + words.length] }];
}

/** The places of a session worth going to. */
export function landmarks(taskId: string, now: number): beckon.Landmark[] {
  const worth = sampleEntries(taskId, now).filter(({ kind, tool }) => kind === 'user' || kind === 'turn' || kind === 'question' || tool?.failed);
  return worth.map((entry) => ({ runId: entry.runId, pos: entry.pos, part: entry.part, kind: entry.kind, text: textOf(entry).slice(0, 120), at: entry.at }));
}

/** A picture of some bars, as the fake's agents send them. */
export function picture(): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 300 });
  const draw = canvas.getContext('2d');
  for (let i = 0; i < 12; i++) draw?.fillRect(20 + i * 37, 280 - ((i * 53) % 220), 26, (i * 53) % 220);
  return canvas.toDataURL('image/png');
}

const home = '/home/ada';
const repositories: beckon.Repository[] = [
  { dir: `${home}/work/orchard`, name: 'orchard', branch: 'main', subject: 'Fix rounding in invoices', at: 40 },
  { dir: `${home}/src/ledgerline`, name: 'ledgerline', branch: 'main', subject: 'Import MT940', at: 1500 },
  { dir: `${home}/src/atlas-docs`, name: 'atlas-docs', branch: 'main', subject: 'Typos', at: 6 * 1440 },
  { dir: `${home}/dotfiles`, name: 'dotfiles', branch: 'master', subject: 'vim: fewer plugins', at: 60 * 1440 },
  { dir: `${home}/src/kestrel`, name: 'kestrel', branch: 'main', subject: '', at: 90 * 1440 },
];

/** The repositories of the home folder, their commits so many minutes before now. */
export function nearby(now: number): beckon.NearbyFound {
  return { repositories: repositories.map((one) => ({ ...one, at: now - one.at * 60_000 })), cut: false };
}

/** The folders that go on with a path. */
export function folders(typed: string, now: number): beckon.Folder[] {
  const tilde = typed.startsWith('~');
  return nearby(now).repositories.map(({ dir, branch, at }) => ({ dir: tilde ? dir.replace(home, '~') : dir, git: true, branch, at })).filter(({ dir }) => dir.startsWith(typed));
}
