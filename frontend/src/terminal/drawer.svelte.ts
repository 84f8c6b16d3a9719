// Whether the terminal of a task is open, and how high. A shell outlives the drawer.

import type { beckon } from '../bridge';

const openKey = 'beckon.terminal';
const heightKey = 'beckon.terminal.height';
const readerKey = 'beckon.terminal.reader';

/** The height is a part of the page's, in percent. */
export const heights = { least: 20, usual: 40, most: 90, step: 5 };

/** What is kept of a height: within bounds, and the usual one where it is none. */
export function heightOf(kept: string | null): number {
  const height = Number(kept ?? '');
  if (!(height > 0)) return heights.usual;
  return Math.min(Math.max(height, heights.least), heights.most);
}

/** Whether a shell can be opened in the worktree of a task. */
export function hasTerminal(task: beckon.Task): boolean {
  return task.worktree !== '' && task.status !== 'done' && task.status !== 'archived';
}

/** What is kept; nothing where the page may keep nothing. */
function kept(area: () => Storage, key: string): string | null {
  try {
    return area().getItem(key);
  } catch {
    return null;
  }
}

function keep(area: () => Storage, key: string, value: string): void {
  try {
    area().setItem(key, value);
  } catch {
    // It is as it is until the page is closed.
  }
}

class Drawer {
  /** The task whose terminal is open; a page that is loaded again has it open still. */
  openFor = $state(kept(() => sessionStorage, openKey) ?? '');
  height = $state(heightOf(kept(() => localStorage, heightKey)));
  whole = $state(false);
  /** Whether the next shell that is shown gets the keys: the person asked for it, and no page that is loaded again. */
  keys = false;
  /** Whether terminals are read out. */
  reader = $state(kept(() => localStorage, readerKey) === 'yes');

  open(taskId: string): void {
    this.keys = taskId !== '';
    this.openFor = taskId;
    keep(() => sessionStorage, openKey, taskId);
  }

  close(): void {
    this.open('');
    this.whole = false;
  }

  toggle(taskId: string): void {
    if (this.openFor === taskId) this.close();
    else this.open(taskId);
  }

  setHeight(percent: number): void {
    this.height = heightOf(String(Math.round(percent)));
    this.whole = false;
    keep(() => localStorage, heightKey, String(this.height));
  }

  setReader(on: boolean): void {
    this.reader = on;
    keep(() => localStorage, readerKey, on ? 'yes' : 'no');
  }
}

export const drawer = new Drawer();
