// How a person gets a shell where a task's agent works, on another machine.
import type { beckon } from '../bridge';

/** The command that opens one, in a terminal of their own; "" where there is none that is sure to. */
export function commandThere(
  at: Pick<beckon.Executor, 'id' | 'kind' | 'host' | 'engine'> | undefined,
  task: Pick<beckon.Task, 'id'>,
): string {
  switch (at?.kind) {
    case 'ssh':
      return `ssh ${at.host}`;
    case 'container':
      return `${at.engine} exec -it beckon-${at.id}-${task.id} sh`; // as executor/container names it
    default:
      return '';
  }
}
