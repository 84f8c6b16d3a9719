import type { beckon } from '../bridge';
import { taskInFocus } from './commands';

/** What may be chosen for some cards from a list. */
export type Choice = 'labels' | 'priority' | 'model' | 'policy' | 'agent' | 'executor' | 'project';

/** A sheet over the page. The app shows it; ask for one here. */
export type Sheet =
  | { kind: 'newTask'; projectId: string; status: beckon.Status; title: string }
  /** `dir` is the folder to begin with, or empty. */
  | { kind: 'addProject'; dir: string }
  /** The project must be trusted before an agent starts in it. */
  | { kind: 'trust'; projectId: string; start: () => Promise<unknown> }
  /** Its base lacks some of its work: is it closed as it is? */
  | { kind: 'close'; taskId: string }
  /** Its check failed: is it merged all the same? `repository` is the one that the files are in, empty where there is one only. */
  | {
      kind: 'mergeAnyway';
      task: beckon.Task;
      base: string;
      files: string;
      repository: string;
      merge: () => void;
    }
  | { kind: 'edit'; task: beckon.Task }
  /** Where is its worktree opened? */
  /** `at` is a line of one of its files; without it the whole worktree is opened. */
  | { kind: 'openIn'; task: beckon.Task; at: beckon.DiffSpot | undefined }
  | { kind: 'sendBack'; task: beckon.Task }
  | { kind: 'continueWith'; task: beckon.Task }
  /** Budgets, quota and totals; `taskId` is the task that was asked about, or empty. */
  | { kind: 'limits'; taskId: string }
  /** Two attempts beside each other; `taskId` is one of them. */
  | { kind: 'compare'; taskId: string }
  | { kind: 'repeat'; template: beckon.Template }
  /** Lists of other tools become cards, of the project unless they say otherwise; empty: the first. */
  | { kind: 'import'; projectId: string }
  /** `done` is called when the task's work, or the task, is gone. */
  | {
      kind: 'lose';
      task: beckon.Task;
      what: 'discard' | 'delete' | 'startOver';
      done?: (() => void) | undefined;
    }
  | { kind: 'choose'; what: Choice; ids: string[] }
  /** Looks for words in all sessions. */
  | { kind: 'search' }
  /** `taskId` is the task that keys were about, or empty. */
  | { kind: 'palette'; taskId: string }
  | { kind: 'keys'; taskId: string };

class Sheets {
  current = $state.raw<Sheet | undefined>();

  /** Opens the sheet for a new task; an empty project lets the person choose. */
  newTask(projectId = '', status: beckon.Status = 'backlog', title = ''): void {
    this.current = { kind: 'newTask', projectId, status, title };
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

  /** Asks about the files that steer or run something here; without any, about the check that failed. */
  mergeAnyway(
    task: beckon.Task,
    base: string,
    files: string,
    merge: () => void,
    repository = '',
  ): void {
    this.current = { kind: 'mergeAnyway', task, base, files, repository, merge };
  }

  edit(task: beckon.Task): void {
    this.current = { kind: 'edit', task };
  }

  openIn(task: beckon.Task, at?: beckon.DiffSpot): void {
    this.current = { kind: 'openIn', task, at };
  }

  sendBack(task: beckon.Task): void {
    this.current = { kind: 'sendBack', task };
  }

  limits(taskId = ''): void {
    this.current = { kind: 'limits', taskId };
  }

  compare(taskId: string): void {
    this.current = { kind: 'compare', taskId };
  }

  repeat(template: beckon.Template): void {
    this.current = { kind: 'repeat', template };
  }

  importTasks(projectId = ''): void {
    this.current = { kind: 'import', projectId };
  }

  continueWith(task: beckon.Task): void {
    this.current = { kind: 'continueWith', task };
  }

  lose(task: beckon.Task, what: 'discard' | 'delete' | 'startOver', done?: () => void): void {
    this.current = { kind: 'lose', task, what, done };
  }

  choose(what: Choice, ids: string[]): void {
    this.current = { kind: 'choose', what, ids };
  }

  search(): void {
    this.current = { kind: 'search' };
  }

  palette(): void {
    this.current = { kind: 'palette', taskId: taskInFocus() };
  }

  keys(): void {
    this.current = { kind: 'keys', taskId: taskInFocus() };
  }

  close(): void {
    this.current = undefined;
  }
}

export const sheets = new Sheets();
