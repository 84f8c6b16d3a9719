import { blank } from '../form/fields';

/** The task that is written in the sheet for a new one. It outlives the sheet, so that closing it loses nothing. */
class NewTask {
  fields = $state(blank());
  /** What it may take, as it is typed; empty for no budget. */
  budget = $state('');

  /** Begins it with a title, unless one was written before; reports whether the title is in it. */
  begin(title: string): boolean {
    if (this.fields.title === '') this.fields.title = title;
    return this.fields.title === title;
  }
}

/** The page's one. */
export const newTask = new NewTask();
