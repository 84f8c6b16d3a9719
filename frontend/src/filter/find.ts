// Finds the cards that a filter asks for, and counts. One pass over the cards:
// each card gets a mask with one bit for each condition that holds.
import type { beckon } from '../bridge';
import { stopped } from '../state/views';
import { countPaths, touches } from './paths';
import type { Clause, Field, Filter } from './query';

/** What conditions look at besides the card itself. */
export interface Facts {
  /** By task: whether its agent waits for the person. */
  waiting: ReadonlyMap<string, unknown>;
  /** By task: its newest run. */
  runs: ReadonlyMap<string, beckon.Run>;
  /** By project: the model of tasks that name none. */
  models: ReadonlyMap<string, string>;
}

export interface Found {
  tasks: readonly beckon.Task[];
  matches: beckon.Task[];
  /** How many each condition finds alone. */
  alone: number[];
  /** By card: a bit for each condition that holds. */
  masks: Uint32Array;
}

/** By field: how many cards have a value. */
export type Counts = ReadonlyMap<Field, ReadonlyMap<string, number>>;

type Valued = Exclude<Field, 'text' | 'label' | 'file'>;

/** The one value that a card has of a field. */
const valueOf: Record<Valued, (task: beckon.Task, facts: Facts) => string> = {
  priority: (task) => String(task.priority),
  state: (task, { runs }) => (stopped(task, runs.get(task.id)) ? 'stopped' : task.status),
  project: (task) => task.projectId,
  model: (task, { models }) =>
    task.model || (task.agent === '' ? models.get(task.projectId) : '') || '',
  agent: (task) => task.agent,
  waiting: (task, { waiting }) => (waiting.has(task.id) ? 'you' : ''),
};

export function find(tasks: readonly beckon.Task[], filter: Filter, facts: Facts): Found {
  const tests = filter.map((clause) => testOf(clause, facts));
  const every = (1 << tests.length) - 1;
  const masks = new Uint32Array(tasks.length);
  const alone = tests.map(() => 0);
  const matches: beckon.Task[] = [];
  for (let i = 0; i < tasks.length; i++) {
    const task = tasks[i]!;
    let mask = 0;
    for (let bit = 0; bit < tests.length; bit++) {
      if (!tests[bit]!(task)) continue;
      mask |= 1 << bit;
      alone[bit]!++;
    }
    masks[i] = mask;
    if (mask === every) matches.push(task);
  }
  return { tasks, matches, alone, masks };
}

function testOf({ field, not, values }: Clause, facts: Facts): (task: beckon.Task) => boolean {
  if (values.length === 0) return () => true;
  const has =
    field === 'text'
      ? saysAny(values)
      : field === 'file'
        ? touches(values)
        : hasAny(field, values, facts);
  return not ? (task) => !has(task) : has;
}

function hasAny(
  field: Valued | 'label',
  values: string[],
  facts: Facts,
): (task: beckon.Task) => boolean {
  const wanted = new Set(values);
  if (field === 'label')
    return (task) =>
      task.labels.length === 0 ? wanted.has('') : task.labels.some((label) => wanted.has(label));
  const value = valueOf[field];
  return (task) => wanted.has(value(task, facts));
}

/** Cards are replaced and never altered, so what was read off one stays true. */
const texts = new WeakMap<beckon.Task, string>();

function textOf(task: beckon.Task): string {
  let text = texts.get(task);
  if (text === undefined) texts.set(task, (text = `${task.key} ${task.title}`.toLowerCase()));
  return text;
}

/** Whether all words of one of the texts are in the key or title. */
function saysAny(values: string[]): (task: beckon.Task) => boolean {
  const texts = values.map((value) => value.toLowerCase().split(/\s+/).filter(Boolean));
  return (task) => texts.some((words) => words.every((word) => textOf(task).includes(word)));
}

/**
 * How many cards each value would show, given what else is asked: a field's own
 * conditions do not count for its values, so that another one can be added.
 * Files are not among them: there may be very many, see filesOf.
 */
export function countsOf({ tasks, masks }: Found, filter: Filter, facts: Facts): Counts {
  const counts = new Map<Field, Map<string, number>>(countable.map((field) => [field, new Map()]));
  const others = countable.map((field) => ({
    field,
    values: counts.get(field)!,
    wants: besides(filter, field),
  }));
  for (let i = 0; i < tasks.length; i++) {
    for (const { field, values, wants } of others)
      if ((masks[i]! & wants) === wants) countValues(field, tasks[i]!, facts, values);
  }
  return counts;
}

/** The same of the files that cards changed, and of the folders that those are in. */
export function filesOf({ tasks, masks }: Found, filter: Filter): ReadonlyMap<string, number> {
  const wants = besides(filter, 'file');
  return countPaths(tasks.filter((_, i) => (masks[i]! & wants) === wants));
}

/** The bits of the conditions that are not about a field. */
function besides(filter: Filter, field: Field): number {
  return filter.reduce((bits, one, bit) => (one.field === field ? bits : bits | (1 << bit)), 0);
}

const countable = [
  'label',
  'priority',
  'state',
  'project',
  'model',
  'agent',
  'waiting',
] as const satisfies Field[];

function countValues(
  field: (typeof countable)[number],
  task: beckon.Task,
  facts: Facts,
  counts: Map<string, number>,
): void {
  const count = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  if (field !== 'label') return void count(valueOf[field](task, facts));
  if (task.labels.length === 0) count('');
  for (const label of task.labels) count(label);
}
