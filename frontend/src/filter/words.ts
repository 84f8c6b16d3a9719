// Fields and values in the person's words.
import { t } from '../i18n/index.svelte';
import { agentLabel, otherAgents } from '../state/agents';
import { modelLabel } from '../state/choices';
import type { Counts } from './find';
import type { Clause, Field } from './query';

/** What values are called that are ids. */
export interface Names {
  projects: ReadonlyMap<string, string>;
}

/** A value that can be asked for, or several under one name. */
export interface Option {
  values: string[];
  label: string;
}

export function fieldNames(): Record<Field, string> {
  return {
    label: t('filter.label'),
    priority: t('filter.priority'),
    state: t('filter.state'),
    project: t('filter.project'),
    model: t('filter.model'),
    agent: t('filter.agent'),
    waiting: t('filter.waiting'),
    file: t('filter.file'),
    text: t('filter.text'),
  };
}

const states = ['backlog', 'queued', 'running', 'stopped', 'review', 'done'] as const;

/** Priorities from a level on, by what they are called. */
const ranges = {
  'filter.highUp': ['3', '4'],
  'filter.mediumUp': ['2', '3', '4'],
  'filter.lowUp': ['1', '2', '3', '4'],
} as const;
const shortPriorities = [
  'filter.none',
  'filter.low',
  'filter.medium',
  'filter.high',
  'words.urgent',
] as const;

/** What can be asked for of a field: of labels and models those that cards have, the most frequent first. Files and texts are typed. */
export function optionsOf(field: Field, counts: Counts, names: Names): Option[] {
  const frequent = () =>
    [...(counts.get(field) ?? [])]
      .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([value]) => value);
  switch (field) {
    case 'label':
      return [...frequent().filter((value) => value !== ''), ''].map((value) => ({
        values: [value],
        label: valueLabel(field, value, names),
      }));
    case 'priority':
      return [
        ...['4', '3', '2', '1', '0'].map((value) => ({
          values: [value],
          label: valueLabel(field, value, names),
        })),
        ...(['filter.highUp', 'filter.mediumUp'] as const).map((key) => ({
          values: [...ranges[key]],
          label: t(key),
        })),
      ];
    case 'state':
      return states.map((value) => ({ values: [value], label: valueLabel(field, value, names) }));
    case 'project':
      return [...names.projects].map(([value, label]) => ({ values: [value], label }));
    case 'model':
    case 'agent':
      return frequent().map((value) => ({
        values: [value],
        label: valueLabel(field, value, names),
      }));
    case 'waiting':
      return [{ values: ['you'], label: t('filter.waiting') }];
    case 'file':
    case 'text':
      return [];
  }
}

export function valueLabel(field: Field, value: string, names: Names): string {
  switch (field) {
    case 'label':
      return value === '' ? t('filter.noLabel') : value;
    case 'priority':
      return t(shortPriorities[Number(value)] ?? 'filter.none');
    case 'state':
      return value === 'stopped'
        ? t('words.failed')
        : value === 'backlog' ||
            value === 'queued' ||
            value === 'running' ||
            value === 'review' ||
            value === 'done'
          ? t(`words.${value}`)
          : value;
    case 'project':
      return names.projects.get(value) ?? t('filter.gone');
    case 'model':
      return value === '' && otherAgents() ? t('words.eachDefault') : modelLabel(value);
    case 'agent':
      return agentLabel(value);
    default:
      return value;
  }
}

/** How many cards have one of the values of a field; only one value is asked for where cards can have several. */
export function countOf(field: Field, values: string[], counts: Counts): number {
  return values.reduce((sum, value) => sum + (counts.get(field)?.get(value) ?? 0), 0);
}

/** A condition in the three parts of its chip. */
export function clauseWords(
  { field, not, values }: Clause,
  names: Names,
): { field: string; relation: string; values: string } {
  const name = fieldNames()[field];
  if (field === 'waiting')
    return { field: not ? t('filter.notWaiting') : name, relation: '', values: '' };
  if (field === 'text')
    return {
      field: name,
      relation: not ? t('filter.containsNot') : t('filter.contains'),
      values: values.join(', '),
    };
  const many = values.length > 1;
  const range = field === 'priority' ? rangeOf(values) : undefined;
  if (range)
    return {
      field: name,
      relation: not ? t('filter.isNot') : t('filter.is'),
      values: t(range).toLocaleLowerCase(),
    };
  const relation = not
    ? many
      ? t('filter.isNone')
      : t('filter.isNot')
    : many
      ? t('filter.isAny')
      : t('filter.is');
  return {
    field: name,
    relation,
    values: values.map((value) => valueLabel(field, value, names)).join(', '),
  };
}

function rangeOf(values: string[]): keyof typeof ranges | undefined {
  const sorted = values.toSorted().join();
  return (Object.keys(ranges) as (keyof typeof ranges)[]).find(
    (key) => ranges[key].join() === sorted,
  );
}

export function sentence(clause: Clause, names: Names): string {
  const { field, relation, values } = clauseWords(clause, names);
  return [field, relation, values].filter(Boolean).join(' ');
}
