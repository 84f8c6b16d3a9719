// What is offered for what was typed into the filter line.
import { otherAgents } from '../state/agents';
import { countOf, fieldNames, optionsOf, type Names } from './words';
import { fields, type Clause, type Field, type Filter } from './query';
import type { Counts } from './find';

/** A line of the list: a field whose values come next, or a condition. */
export interface Row {
  kind: 'field' | 'value' | 'text';
  field: Field;
  values: string[];
  label: string;
  count: number;
}

export function keyOf({ kind, field, values }: Row): string {
  return `${kind} ${field} ${values.join()}`;
}

/** What was typed: "!label:perf" asks for no label that begins with "perf". */
export interface Typed {
  not: boolean;
  field: Field | undefined;
  wish: string;
}

/** What a field is also called; its name in the person's language is one besides. */
const aliases: Record<Field, string[]> = {
  label: ['label', 'l', '#'],
  priority: ['priority', 'prio', 'p'],
  state: ['state', 'status', 'is', 's'],
  project: ['project', '@'],
  model: ['model', 'm'],
  agent: ['agent', 'a'],
  waiting: ['waiting', 'w'],
  file: ['file', 'f', 'path'],
  text: ['text', 't'],
};

const mostRows = 12;
/** As many values of one field are listed. */
const mostOfField = 200;

/** Reads what was typed. */
export function read(text: string): Typed {
  const [, sign, rest = ''] = /^\s*([!-])?(.*)$/s.exec(text) ?? [];
  const [, name = '', wish = ''] = /^([#@]|[^\s:]+:)(.*)$/s.exec(rest) ?? [];
  const field = fieldOf(name.replace(/:$/, '').toLowerCase());
  return { not: sign !== undefined, field, wish: (field === undefined ? rest : wish).trim() };
}

function fieldOf(name: string): Field | undefined {
  return name === ''
    ? undefined
    : fields.find(
        (field) => aliases[field].includes(name) || fieldNames()[field].toLowerCase() === name,
      );
}

/** The rows for what was typed; those that begin with it first. */
export function suggest(text: string, counts: Counts, names: Names, filter: Filter): Row[] {
  const { field, wish } = read(text);
  if (field === 'text') return wish === '' ? [] : [says(wish)];
  if (field === 'file') return files(wish, counts, filter);
  if (field !== undefined) {
    const own = values(field, counts, names, filter);
    // "is:waiting" says what "waiting" does.
    if (field === 'state') own.push(...values('waiting', counts, names, filter));
    return matching(own, wish).slice(0, mostOfField);
  }
  const asked = fields.filter((one) => one !== 'text' && (one !== 'agent' || otherAgents()));
  const headings = asked
    .filter((one) => one !== 'waiting')
    .map((one): Row => ({
      kind: 'field',
      field: one,
      values: [],
      label: fieldNames()[one],
      count: 0,
    }));
  if (wish === '') return [...values('waiting', counts, names, filter), ...headings];
  const all = asked.flatMap((one) => values(one, counts, names, filter));
  const found = matching([...all, ...headings], wish).slice(0, mostRows);
  // What begins with the word is meant sooner than the word as a text.
  const begins = found.filter((row) => row.label.toLowerCase().startsWith(wish.toLowerCase()));
  return [...begins, says(wish), ...found.filter((row) => !begins.includes(row))];
}

function says(wish: string): Row {
  return { kind: 'text', field: 'text', values: [wish], label: wish, count: 0 };
}

/** Files and folders that have what was typed, those first that begin with it, and a pattern of it; folders, before anything is typed. */
function files(wish: string, counts: Counts, filter: Filter): Row[] {
  const says: Row = {
    kind: 'text',
    field: 'file',
    values: [wish.includes('*') ? wish : `*${wish}*`],
    label: wish,
    count: 0,
  };
  if (wish.includes('*')) return [says];
  const lower = wish.toLowerCase();
  const chosen = chosenOf('file', filter);
  const has = (path: string) =>
    (wish === '' ? path.endsWith('/') : path.toLowerCase().includes(lower)) &&
    !chosen.includes(path);
  const begins = (path: string) => path.toLowerCase().startsWith(lower);
  const rows = [...(counts.get('file') ?? [])]
    .filter(([path]) => has(path))
    .sort(
      (a, b) =>
        Number(begins(b[0])) - Number(begins(a[0])) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1),
    )
    .slice(0, mostOfField)
    .map(([path, count]): Row => ({
      kind: 'value',
      field: 'file',
      values: [path],
      label: path,
      count,
    }));
  if (wish === '') return rows;
  const first = rows.filter((row) => begins(row.label));
  return [...first, says, ...rows.slice(first.length)];
}

function chosenOf(field: Field, filter: Filter): string[] {
  return filter.filter((one) => one.field === field).flatMap((one) => one.values);
}

function values(field: Field, counts: Counts, names: Names, filter: Filter): Row[] {
  const chosen = chosenOf(field, filter);
  return optionsOf(field, counts, names)
    .map((one): Row => ({
      kind: 'value',
      field,
      ...one,
      count: countOf(field, one.values, counts),
    }))
    .filter((row) => row.count > 0 && !row.values.every((value) => chosen.includes(value)));
}

/** Three letters are found anywhere, fewer where a word begins. */
function matching(rows: Row[], typed: string): Row[] {
  const wish = typed.toLowerCase();
  if (wish === '') return rows;
  const has = (label: string) =>
    label.split(/[\s/_.-]+/).some((word) => word.startsWith(wish)) ||
    (wish.length > 2 && label.includes(wish)) ||
    label.startsWith(wish);
  const starts = (row: Row) => (row.label.toLowerCase().startsWith(wish) ? 0 : 1);
  return rows
    .filter((row) => has(row.label.toLowerCase()))
    .toSorted((a, b) => starts(a) - starts(b));
}

/** The condition that "label:perf " says in full, once the space after it is typed. */
export function whole(text: string, rows: Row[]): Clause | undefined {
  if (!/\S\s$/.test(text)) return undefined;
  const { not, field, wish } = read(text);
  if (field === undefined || wish === '') return undefined;
  const named = wish.toLowerCase();
  const single = rows.filter((row) => row.kind === 'value' && row.values.length === 1);
  const row = single.find((one) => one.label.toLowerCase() === named);
  // A label with a space may be meant that begins with this one.
  if (!row || single.some((one) => one.label.toLowerCase().startsWith(`${named} `)))
    return undefined;
  return { field: row.field, not, values: row.values };
}

/** The conditions that halve the list best, at most one of a field; who waits comes first. */
export function offers(counts: Counts, names: Names, filter: Filter, shown: number): Row[] {
  const taken = new Set(filter.map((one) => one.field));
  const halves = (row: Row) => Math.abs(row.count - shown / 2);
  const best = (['priority', 'state', 'label', 'project'] as const)
    .filter((field) => !taken.has(field))
    .flatMap((field) =>
      values(field, counts, names, filter)
        .filter((row) => row.values[0] !== '' && row.count < shown)
        .toSorted((a, b) => halves(a) - halves(b))
        .slice(0, 1),
    );
  const waiting = taken.has('waiting')
    ? []
    : values('waiting', counts, names, filter).filter((row) => row.count < shown);
  return [...waiting, ...best.toSorted((a, b) => halves(a) - halves(b))].slice(0, 3);
}
