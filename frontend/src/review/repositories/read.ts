// The changes of a task in all its repositories, read as one.

import { api, asBeckonError, type beckon } from '../../bridge';
import { explain, store } from '../../state';
import type { ChangedFile } from '../file';
import { isSeveral } from './order';

/** WholeDiff is the changes in all repositories. What it says besides the files is of the task's own one. */
export type WholeDiff = Omit<beckon.ReviewDiff, 'files'> & {
  files: ChangedFile[];
  /** The repositories in the order in which they are merged; none where the task has only its own. */
  parts: ReadPart[];
};

/** ReadPart is the work in one repository. */
export interface ReadPart extends beckon.TaskPart {
  /** Its name, as its files and comments have it: empty for the task's own. */
  repository: string;
  /** Its changes, if there can be any. */
  diff?: beckon.ReviewDiff;
  /** Why they could not be read. */
  failed: string;
  /** Why this repository has nothing of the turn or the commit that is looked at; empty where it has. */
  absent: string;
}

/** WholeReader reads the changes of one task. */
export class WholeReader {
  /** How many repositories it has, once that is known; of one that has its own only, nobody asks again. */
  #known = 0;

  constructor(private readonly taskId: string) {}

  /** A task that has several is never shown as if it had one, for what is merged would be more than what is read. */
  async #parts(several: boolean): Promise<beckon.TaskPart[]> {
    if (this.#known === 1 && !several) return [];
    try {
      const parts = await api.parts(this.taskId);
      this.#known = Math.max(parts.length, 1);
      return parts;
    } catch (thrown) {
      if (several || this.#known > 1) throw thrown;
      return [];
    }
  }

  async read(view: beckon.DiffView): Promise<WholeDiff> {
    const { taskId } = this;
    const task = store.tasks.get(taskId);
    const further = store.projects.get(task?.projectId ?? '')?.repositories ?? [];
    // The changes of an ordinary task wait for nothing else.
    const own = further.length === 0 ? api.review(taskId, view) : undefined;
    own?.catch(() => {}); // it is awaited below
    const parts = await this.#parts(own === undefined);
    if (parts.length < 2) return { ...(await (own ?? api.review(taskId, view))), parts: [] };
    return whole(
      taskId,
      await Promise.all(
        parts.map((part) => read(part, taskId, view, part.id === taskId ? own : undefined)),
      ),
    );
  }
}

async function read(
  part: beckon.TaskPart,
  taskId: string,
  view: beckon.DiffView,
  begun?: Promise<beckon.ReviewDiff>,
): Promise<ReadPart> {
  const own = part.id === taskId;
  const repository = own ? '' : part.name;
  if (!own && (part.branch === '' || part.state === 'missing'))
    return { ...part, repository, failed: '', absent: '' };
  try {
    const diff = await (begun ?? api.review(part.id, view));
    return { ...part, repository, diff, failed: '', absent: '' };
  } catch (thrown) {
    if (own) throw thrown;
    const error = asBeckonError(thrown);
    // What nobody reviewed is new as a whole.
    if (error.problem === 'notReviewed') return read(part, taskId, { ...view, since: '' });
    const why = explain(error);
    // A turn or a commit of the task's own may be none of this one.
    return view.since !== '' && error.code === 'not_found'
      ? { ...part, repository, failed: '', absent: why }
      : { ...part, repository, failed: why, absent: '' };
  }
}

/** whole makes one of what was read of each repository. */
export function whole(taskId: string, parts: ReadPart[]): WholeDiff {
  const own = parts.find(({ id }) => id === taskId)?.diff;
  if (!own) throw new Error('a task has a repository of its own');
  const diffs = parts.flatMap(({ repository, diff }) => (diff ? [{ repository, diff }] : []));
  return {
    ...own,
    files: diffs.flatMap(({ repository, diff }) =>
      repository === '' ? diff.files : diff.files.map((file) => ({ ...file, repository })),
    ),
    omitted: diffs.reduce((sum, { diff }) => sum + diff.omitted, 0),
    uncommitted: diffs.flatMap(({ diff }) => diff.uncommitted),
    // Where there are several, each has its own.
    conflicts: isSeveral(taskId, parts) ? [] : own.conflicts,
    parts,
  };
}
