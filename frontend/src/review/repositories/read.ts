// The changes of a task in all its repositories, read as one.

import { api, asBeckonError, type beckon } from '../../bridge';
import { explain, store } from '../../state';
import type { ChangedFile } from '../file';

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
}

/** WholeReader reads the changes of one task. */
export class WholeReader {
  /** The task has its own repository only; nobody asks again. */
  #alone = false;

  constructor(private readonly taskId: string) {}

  async read(view: beckon.DiffView): Promise<WholeDiff> {
    const { taskId } = this;
    const task = store.tasks.get(taskId);
    const further = store.projects.get(task?.projectId ?? '')?.repositories ?? [];
    // The changes of an ordinary task wait for nothing else.
    const own = further.length === 0 ? api.review(taskId, view) : undefined;
    own?.catch(() => {}); // it is awaited below
    const parts = this.#alone && own ? [] : await api.parts(taskId).catch(() => []);
    this.#alone = parts.length < 2;
    if (this.#alone) return { ...(await (own ?? api.review(taskId, view))), parts: [] };
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
    return { ...part, repository, failed: '' };
  try {
    return { ...part, repository, diff: await (begun ?? api.review(part.id, view)), failed: '' };
  } catch (thrown) {
    if (own) throw thrown;
    // A turn or a commit of the task's own may be none of this one.
    return { ...part, repository, failed: view.since ? '' : explain(asBeckonError(thrown)) };
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
    // Each repository has its own.
    conflicts: [],
    parts,
  };
}
