// What may be chosen for some cards, and how far they have it already.
import type { beckon } from '../bridge';
import { findLabels } from '../form/labels';
import { t } from '../i18n/index.svelte';
import {
  agentModelLabel,
  agentModels,
  anyExecutorOptions,
  type Choice,
  claudeCode,
  namedAgents,
  priorityOptions,
  store,
  waitLabel,
  waitOf,
  waitOptions,
  waitValue,
} from '../state';
import { toneOf } from '../text/tones';

export interface Row {
  value: string;
  label: string;
  /** Whether all of the cards have it, some or none. */
  tick: 'on' | 'some' | 'off';
  /** How many have it, in words. */
  note: string;
  /** The number of a project's colour, for the mark of a label; 0 is none. */
  tone: number;
  /** It is no label yet. */
  fresh?: boolean;
}

/** The rows for a kind that what was typed finds; of labels those of all cards, the ones that begin with it first. */
export function rowsFor(
  kind: Choice,
  typed: string,
  tasks: beckon.Task[],
  known: () => string[],
): Row[] {
  if (kind !== 'labels') {
    const wish = typed.trim().toLowerCase();
    return options(kind, tasks)
      .filter((one) => one.label.toLowerCase().includes(wish))
      .map((one) => row(kind, one, tasks));
  }
  const { found, fresh } = findLabels(typed, known());
  const rows = found.map((label) => row(kind, { value: label, label }, tasks));
  if (fresh !== '')
    rows.push({
      value: fresh,
      label: t('board.newLabel', { label: fresh }),
      tick: 'off',
      note: '',
      tone: 0,
      fresh: true,
    });
  return rows;
}

function options(
  kind: Exclude<Choice, 'labels'>,
  tasks: beckon.Task[],
): { value: string; label: string }[] {
  if (kind === 'priority') return priorityOptions();
  if (kind === 'executor') return anyExecutorOptions();
  if (kind === 'agent') return namedAgents('');
  if (kind === 'project')
    return store.sortedProjects.map(({ id, name }) => ({ value: id, label: name }));
  if (kind === 'model') return models(tasks);
  const list = waitOptions();
  for (const task of tasks) {
    const value = valueOf(kind, task);
    if (!list.some((one) => one.value === value))
      list.push({ value, label: waitLabel(task.policy, task.waitMs) });
  }
  return list;
}

/** The models that the cards can have. Those of several agents have none in common but the default of each. */
function models(tasks: beckon.Task[]): { value: string; label: string }[] {
  const [agent = '', ...others] = new Set(tasks.map((task) => task.agent));
  if (others.length > 0) return [{ value: '', label: t('words.eachDefault') }];
  const list = agentModels(agent);
  if (list.length === 0) list.push({ value: '', label: agentModelLabel(agent, '') });
  for (const { model } of tasks) {
    if (!list.some((one) => one.value === model))
      list.push({ value: model, label: agentModelLabel(agent, model) });
  }
  return list;
}

function valueOf(kind: Exclude<Choice, 'labels'>, task: beckon.Task): string {
  if (kind === 'priority') return String(task.priority);
  if (kind === 'project') return task.projectId;
  if (kind === 'executor') return task.executor;
  if (kind === 'agent') return task.agent || claudeCode;
  return kind === 'model' ? task.model : waitValue(task.policy, task.waitMs);
}

function row(
  kind: Choice,
  { value, label }: { value: string; label: string },
  tasks: beckon.Task[],
): Row {
  const n = tasks.filter((task) =>
    kind === 'labels' ? task.labels.includes(value) : valueOf(kind, task) === value,
  ).length;
  const all = tasks.length;
  const note =
    n === 0 || all === 1
      ? ''
      : n === all
        ? t('cards.onAll', { n: all })
        : t('cards.onSome', { n, all });
  return {
    value,
    label,
    tick: n === 0 ? 'off' : n === all ? 'on' : 'some',
    note,
    tone:
      kind === 'labels'
        ? toneOf(value)
        : (kind === 'project' && store.projects.get(value)?.color) || 0,
  };
}

/** The change that choosing a row makes: a label that all have is taken from them, any other is given to all. */
export function changeOf(kind: Choice, { value, tick }: Row): beckon.ManyChange {
  switch (kind) {
    case 'labels':
      return tick === 'on'
        ? { kind: 'label', add: [], remove: [value] }
        : { kind: 'label', add: [value], remove: [] };
    case 'priority':
      return { kind: 'priority', priority: Number(value) };
    case 'model':
      return { kind: 'model', model: value };
    case 'agent':
      return { kind: 'agent', agent: value };
    case 'executor':
      return { kind: 'executor', executor: value };
    case 'project':
      return { kind: 'project', projectId: value };
    case 'policy': {
      const { policy, waitMs } = waitOf(value);
      return { kind: 'policy', policy: policy || 'wait', waitMs };
    }
  }
}
