import { api, type beckon } from '../bridge';
import { type ChangedFile, idOf, partOf } from './file';

/** As many images are kept; others are read again where one comes back to them. */
const most = 20;

/** The images of a task's changes, read once each, as long as few others were. */
export class Pictures {
  #kept = new Map<string, Promise<beckon.DiffPicture>>();

  constructor(
    private readonly taskId: string,
    /** Which of the changes are shown of a file's repository. */
    private readonly since: (file: ChangedFile) => string,
  ) {}

  of(file: ChangedFile, before: boolean): Promise<beckon.DiffPicture> {
    const since = this.since(file);
    const key = `${since}:${before}${file.content}${idOf(file)}`;
    const had = this.#kept.get(key);
    if (had) return had;
    const read = api.diffPicture(partOf(this.taskId, file.repository), {
      since,
      path: before ? file.oldPath || file.path : file.path,
      before,
    });
    this.#kept.set(key, read);
    read.catch(() => this.#kept.delete(key));
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
    return read;
  }
}
