// The kinds of agents, in words.
import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { attempt } from './attempt';
import { modelLabel, modelOptions, type Choice } from './choices';
import { store } from './store.svelte';

/** What the kind is called that a task has where it names none. */
const own = { label: 'Claude Code', sign: 'Cl' };

const kindOf = (name: string) => store.about?.agents.find((kind) => kind.name === name);

/** A kind of agent by its name, as people call it. */
export function agentLabel(name: string): string {
  return name === '' || name === claudeCode ? own.label : (kindOf(name)?.label ?? name);
}

/** What it is called as one who speaks: "Codex asks". */
export function agentSays(name: string): string {
  return name === '' ? 'Claude' : agentLabel(name);
}

/** What the agent of a run is called; that of its task where the page does not have the run. */
export function agentOf(taskId: string, runId = ''): string {
  const run =
    runId && (store.runs.get(runId) ?? store.runsOf(taskId).find(({ id }) => id === runId));
  return agentSays((run || store.tasks.get(taskId))?.agent ?? '');
}

/** What the agent that asks is called: Claude in a session elsewhere. */
export const askerOf = (q: Pick<beckon.Question, 'taskId' | 'runId'>) => agentOf(q.taskId, q.runId);

/** Its two letters. */
export function agentSign(name: string): string {
  return name === '' ? own.sign : (kindOf(name)?.sign ?? name.slice(0, 2));
}

/** Claude Code, where an empty name stands for a default. */
export const claudeCode = 'claude';

/** The kind of agent, as rows have it, that a name in a new task of a project stands for. */
export function agentFor(name: string, project?: beckon.Project): string {
  const named = project ? name || project.agent || store.settings.agent : name;
  return named === claudeCode ? '' : named;
}

/** The models that a kind of agent offers, its own default first, which is empty; none where they are not known. */
export function agentModels(name: string): Choice[] {
  if (name === '') return modelOptions();
  const known = kindOf(name)?.models ?? [];
  if (known.length === 0) return [];
  return ['', ...known.map(({ value }) => value)].map((value) => ({
    value,
    label: agentModelLabel(name, value),
  }));
}

/** A model of a kind of agent, as people call it. */
export function agentModelLabel(name: string, model: string): string {
  if (name === '') return modelLabel(model);
  if (model === '') return t('words.agentsModel', { agent: agentLabel(name) });
  return kindOf(name)?.models.find(({ value }) => value === model)?.name || model;
}

/** What a task has as its model: its own, else that of its project, which is Claude's. */
export function modelOfTask(task: beckon.Task, project?: Pick<beckon.Project, 'model'>): string {
  return task.model || (task.agent === '' && project?.model) || '';
}

/** Asks again which agents there are, and what is known of them. */
export const lookForAgents = () => attempt(async () => (store.about = await api.about()));

/** The agents besides Claude Code that this machine has. */
export function foundAgents(): beckon.AgentKind[] {
  return store.about?.agents.filter((kind) => kind.found) ?? [];
}

/** otherAgents reports whether there is one. */
export const otherAgents = (): boolean => foundAgents().length > 0;

/** The agents that can go on with a task that another one began: those of this machine. */
export function nextAgents(task: beckon.Task): Choice[] {
  const claude = store.about?.claudeTrouble !== 'missing';
  return agentOptions('').filter(({ value }) => value !== task.agent && (value !== '' || claude));
}

/** The agents that a task can have: those of this machine, and the one that it has. */
export function agentOptions(chosen: string): Choice[] {
  const names = foundAgents().map((kind) => kind.name);
  return ['', ...new Set([...names, chosen].filter((name) => name !== ''))].map((name) => ({
    value: name,
    label: agentLabel(name),
  }));
}

/** The same where an empty value is none: each has its name. */
export function namedAgents(chosen: string): Choice[] {
  return agentOptions(chosen).map((one) => ({ ...one, value: one.value || claudeCode }));
}

/** The same where the first choice, empty, is to take a default, as `label` says it. */
export function agentChoices(
  chosen: string,
  inherited: string,
  label = agentLabel(inherited),
): Choice[] {
  const others = namedAgents(agentFor(chosen));
  return [{ value: '', label }, ...others.filter((one) => one.value !== (inherited || claudeCode))];
}
