// What a tool call's line says, from its call and its result.

import type { beckon } from '../bridge';
import { within } from '../text/paths';
import { oneLine } from '../text/plain';

/** Summary is the right end of a tool's line; the page puts it in words. */
export interface Summary {
  kind: 'none' | 'lines' | 'change' | 'exit' | 'matches' | 'steps' | 'failed';
  count: number;
  of: number;
}

/** How claude begins the output of a command that failed. */
const exitLine = /^Exit code \d{1,3}\n/;

/** outputOf is what a tool gave back, without the exit code that the line tells. */
export function outputOf(t: beckon.ToolCall): string {
  return (t.failed ? t.result.replace(exitLine, '') : t.result).trimEnd();
}

/** summaryOf reads from a result only what is certain. */
export function summaryOf(t: beckon.ToolCall): Summary {
  const is = (kind: Summary['kind'], count = 0, of = 0): Summary => ({ kind, count, of });
  if (!t.done) return is('none');
  if (t.failed) {
    const exit = /\bexit(?:ed with)?(?: code| status)?:? (\d{1,3})\b/i.exec(t.result.slice(0, 400));
    return exit ? is('exit', Number(exit[1])) : is('failed');
  }
  if (t.added > 0 || t.removed > 0) return is('change', t.added, t.removed);
  if (t.verb === 'reading') return is('lines', lines(t));
  if (t.verb === 'searching') return is('matches', lines(t));
  const todos = todosOf(t);
  return todos ? is('steps', todos.filter((one) => one.done).length, todos.length) : is('none');
}

function lines(t: beckon.ToolCall): number {
  const text = t.result.trimEnd();
  return text && t.cut === 0 ? text.split('\n').length : 0;
}

interface Todo {
  content?: unknown;
  activeForm?: unknown;
  status?: unknown;
}

/** Step is one of a plan. */
export interface Step {
  text: string;
  done: boolean;
  active: boolean;
  /** The step as the agent says it while it is at it. */
  doing: string;
}

const plans = new WeakMap<beckon.ToolCall, Step[] | null>();

/** todosOf returns the plan that a call wrote; null where it wrote none. */
export function todosOf(t: beckon.ToolCall): Step[] | null {
  if (t.name !== 'TodoWrite') return null;
  let plan = plans.get(t);
  if (plan === undefined) plans.set(t, (plan = readTodos(t.input)));
  return plan;
}

function readTodos(input: string): Step[] | null {
  try {
    const { todos } = JSON.parse(input) as { todos?: Todo[] };
    if (!Array.isArray(todos)) return null;
    return todos.map((t) => ({
      text: oneLine(String(t?.content ?? '')),
      done: t?.status === 'completed',
      active: t?.status === 'in_progress',
      doing: oneLine(String(t?.activeForm ?? t?.content ?? '')),
    }));
  } catch {
    return null; // cut, or another tool of that name
  }
}

/** targetOf is what the line names: its target, a path as seen from the folders. Of a plan the line counts the steps. */
export function targetOf(t: beckon.ToolCall, folders: string[] = []): string {
  if (todosOf(t)) return '';
  return oneLine(t.verb === 'executing' ? t.target : within(t.target, folders));
}

/** pretty lays JSON out over lines; what is no JSON stays as it is. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
