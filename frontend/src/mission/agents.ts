// How the agents stand, as Mission Control sees them.
import type { beckon } from '../bridge';
import { alive } from '../state';
import { inTurn, type Agent, type Agents } from './places';

/**
 * All that were ever at work, by task, and those whose question waits; and the
 * sessions that run elsewhere, by their ids. `asked` is since when one of
 * these waits for an answer.
 */
export function agentsOf(
  tasks: beckon.Task[], runs: Map<string, beckon.Run>, waiting: Map<string, beckon.Question[]>,
  sessions: beckon.OutsideSession[] = [], asked: (session: beckon.OutsideSession) => number | undefined = () => undefined,
): Agents {
  const agents = new Map<string, Agent>();
  for (const session of sessions) agents.set(session.id, { taskId: session.id, ...outsideStand(session, asked(session)) });
  for (const task of tasks) {
    const stands = standOf(task, runs.get(task.id), waiting.get(task.id)?.[0]);
    if (stands) agents.set(task.id, { taskId: task.id, ...stands });
  }
  return agents;
}

function standOf(task: beckon.Task, run: beckon.Run | undefined, question: beckon.Question | undefined): Omit<Agent, 'taskId'> | undefined {
  if (question) return { stage: 'waits', since: question.asked };
  if (run === undefined) return undefined;
  if (alive(run)) return { stage: run.phase === 'idle' ? 'idle' : 'works', since: run.started };
  const over = task.status === 'done' || task.status === 'archived' || (task.status === 'backlog' && run.kind !== 'chat');
  return { stage: over ? 'over' : 'ended', since: run.ended };
}

function outsideStand(session: beckon.OutsideSession, asked: number | undefined): Omit<Agent, 'taskId'> {
  if (asked !== undefined) return { stage: 'waits', since: asked };
  if (session.ended > 0) return { stage: 'ended', since: session.ended };
  return { stage: session.status === 'idle' ? 'idle' : 'works', since: session.started };
}

/** The task after one among those that wait, the longest waiting first; undefined where nobody waits. */
export function nextWaiting(agents: Agents, after: string): string | undefined {
  const ids = inTurn(agents).filter((one) => one.stage === 'waits').map((one) => one.taskId);
  return ids[(ids.indexOf(after) + 1) % Math.max(1, ids.length)];
}
