// How the agents stand, as Mission Control sees them.
import type { beckon } from '../bridge';
import { alive } from '../state';
import { inTurn, type Agent, type Agents } from './places';

/**
 * All that were ever at work, by task, and those whose question waits; and the
 * sessions that run elsewhere, by their ids. `urgent` is what waits, in the
 * order in which it presses; `asked` is what one of the sessions waits for.
 */
export function agentsOf(
  tasks: beckon.Task[],
  runs: Map<string, beckon.Run>,
  urgent: beckon.Question[],
  sessions: beckon.OutsideSession[] = [],
  asked: (session: beckon.OutsideSession) => beckon.Question | undefined = () => undefined,
): Agents {
  const agents = new Map<string, Agent>();
  const waits = (question: beckon.Question) =>
    ({ stage: 'waits', since: question.asked, turn: urgent.indexOf(question) }) as const;
  const first = new Map(urgent.toReversed().map((question) => [question.taskId, question]));
  for (const session of sessions) {
    const question = asked(session);
    agents.set(session.id, {
      taskId: session.id,
      ...(question ? waits(question) : outsideStand(session)),
    });
  }
  for (const task of tasks) {
    const question = first.get(task.id);
    const stands = question ? waits(question) : standOf(task, runs.get(task.id));
    if (stands) agents.set(task.id, { taskId: task.id, ...stands });
  }
  return agents;
}

function standOf(
  task: beckon.Task,
  run: beckon.Run | undefined,
): Omit<Agent, 'taskId'> | undefined {
  if (run === undefined) return undefined;
  if (alive(run)) return { stage: run.phase === 'idle' ? 'idle' : 'works', since: run.started };
  const over =
    task.status === 'done' ||
    task.status === 'archived' ||
    (task.status === 'backlog' && run.kind !== 'chat');
  return { stage: over ? 'over' : 'ended', since: run.ended };
}

function outsideStand(session: beckon.OutsideSession): Omit<Agent, 'taskId'> {
  if (session.ended > 0) return { stage: 'ended', since: session.ended };
  return { stage: session.status === 'idle' ? 'idle' : 'works', since: session.started };
}

/** The task after one among those that wait, in their turn; undefined where nobody waits. */
export function nextWaiting(agents: Agents, after: string): string | undefined {
  const ids = inTurn(agents)
    .filter((one) => one.stage === 'waits')
    .map((one) => one.taskId);
  return ids[(ids.indexOf(after) + 1) % Math.max(1, ids.length)];
}
