// What a task's form holds, as its fields have it.

import type { beckon } from '../bridge';
import {
  agentFor,
  agentModelLabel,
  agentModels,
  modeOptions,
  waitLabel,
  waitOf,
  waitOptions,
  waitValue,
} from '../state';
import { blankStart } from './starts';

/** Fields are a task being written; an empty agent, model, mode or wait is the project's. */
export interface Fields {
  title: string;
  brief: string;
  labels: string[];
  priority: number;
  agent: string; // the name of a kind; empty for the project's, in an edit for Claude Code
  model: string;
  mode: beckon.PermissionMode | '';
  executor: string; // an id, "here", or empty for the project's
  after: string; // the id of a task, or empty
  startsAt: number; // in milliseconds, or 0
  start: beckon.Start;
  wait: string; // "proceed 180000", "park 180000", "wait"
}

/** blank is a form that nobody has written in. */
export function blank(): Fields {
  return {
    title: '',
    brief: '',
    labels: [],
    priority: 0,
    agent: '',
    model: '',
    mode: '',
    executor: '',
    after: '',
    startsAt: 0,
    start: blankStart(),
    wait: '',
  };
}

/** same is what a person may edit of a task, as it is. */
export function same({
  title,
  brief,
  labels,
  priority,
  agent,
  model,
  mode,
  policy,
  waitMs,
  executor,
  after,
  startsAt,
  start,
}: beckon.Task) {
  return {
    title,
    brief,
    labels,
    priority,
    agent,
    model,
    mode,
    policy,
    waitMs,
    executor,
    after,
    startsAt,
    start,
  };
}

/** fieldsOf is a task as its form begins. */
export function fieldsOf(task: beckon.Task): Fields {
  const { policy, waitMs, ...rest } = same(task);
  return { ...rest, labels: [...task.labels], wait: waitValue(policy, waitMs) };
}

/** editOf is what a form changes of a task. */
export function editOf({ wait, ...fields }: Fields): beckon.TaskEdit {
  return {
    ...fields,
    title: fields.title.trim(),
    labels: [...fields.labels],
    start: { ...fields.start },
    ...waitOf(wait),
  };
}

/** choicesOf is what may be chosen: for a new task the project's own first, else what the task has. */
export function choicesOf(fields: Fields, project?: beckon.Project) {
  const agent = agentFor(fields.agent, project);
  if (project)
    return {
      models: agentModels(agent),
      modes: modeOptions(project.mode),
      waits: waitOptions(project),
    };
  const { policy, waitMs } = waitOf(fields.wait);
  return {
    models: modelsWith(agent, fields.model),
    modes: modeOptions(),
    waits: withOwn(waitOptions(), fields.wait, waitLabel(policy || 'wait', waitMs)),
  };
}

/** newTaskOf is what a form says of a new task. A model that was chosen for another agent is left out. */
export function newTaskOf(fields: Fields, project: beckon.Project) {
  const offered = choicesOf(fields, project).models.some(({ value }) => value === fields.model);
  return { ...editOf(fields), model: offered ? fields.model : '', projectId: project.id };
}

/** The models of an agent whose task has one. */
function modelsWith(agent: string, model: string) {
  const offered = agentModels(agent);
  if (offered.length === 0 && model === '') return offered;
  const known = offered.length > 0 ? offered : [{ value: '', label: agentModelLabel(agent, '') }];
  return withOwn(known, model, agentModelLabel(agent, model));
}

/** A value that the list does not have is offered as well, or it would be lost. */
function withOwn(options: { value: string; label: string }[], value: string, label: string) {
  return options.some((one) => one.value === value) ? options : [{ value, label }, ...options];
}
