import type { beckon } from '../bridge';

/** A sheet over the page. The app shows it; ask for one here. */
export type Sheet =
  | { kind: 'newTask'; projectId: string; status: beckon.Status }
  /** `dir` is the folder to begin with, or empty. */
  | { kind: 'addProject'; dir: string }
  /** The project must be trusted before an agent starts in it. */
  | { kind: 'trust'; projectId: string; start: () => Promise<unknown> }
  /** Its base lacks some of its work: is it closed as it is? */
  | { kind: 'close'; taskId: string }
  /** Looks for words in all sessions. */
  | { kind: 'search' };

class Sheets {
  current = $state.raw<Sheet | undefined>();

  /** Opens the sheet for a new task; an empty project lets the person choose. */
  newTask(projectId = '', status: beckon.Status = 'backlog'): void {
    this.current = { kind: 'newTask', projectId, status };
  }

  addProject(dir = ''): void {
    this.current = { kind: 'addProject', dir };
  }

  trust(projectId: string, start: () => Promise<unknown>): void {
    this.current = { kind: 'trust', projectId, start };
  }

  closeTask(taskId: string): void {
    this.current = { kind: 'close', taskId };
  }

  search(): void {
    this.current = { kind: 'search' };
  }

  close(): void {
    this.current = undefined;
  }
}

export const sheets = new Sheets();
