// A row of a diff: what the review lists, whatever makes it or goes through it.

import type { beckon } from '../bridge';
import type { DiffLine } from '../text/diff';
import type { ChangedFile } from './file';
import type { FileNote } from './kinds';
import type { Gap } from './unchanged';

/** What stands beside each other: a line as it was, and as it is. */
export type Pair = [before: DiffLine | undefined, after: DiffLine | undefined];

/** DiffRow is one row of the whole review. */
export type DiffRow =
  | { kind: 'file'; id: string; file: ChangedFile }
  /** With a pair it has two columns, and `line` is the one that tells what it is. */
  | {
      kind: 'line';
      id: string;
      file: ChangedFile;
      line: DiffLine;
      pair?: Pair;
      /** Above a hunk. */ gap?: Gap;
    }
  /** The lines below the last hunk that are not shown. */
  | { kind: 'tail'; id: string; file: ChangedFile; gap: Gap }
  | { kind: 'note'; id: string; file: ChangedFile; note: FileNote }
  /** An image, before and after. */
  | { kind: 'picture'; id: string; file: ChangedFile }
  | { kind: 'comment'; id: string; file: ChangedFile; comment: beckon.Comment }
  | { kind: 'thread'; id: string; file: ChangedFile; thread: beckon.Thread }
  | { kind: 'why'; id: string; file: ChangedFile }
  | { kind: 'writing'; id: string; file: ChangedFile; writing: Writing }
  /** What is below is still to come, or could not be read. */
  | { kind: 'rest'; id: string; file: ChangedFile }
  /** The head of comments whose lines are not shown. */
  | { kind: 'lost'; id: string; file: ChangedFile; n: number };

/** What stands at lines: a comment of the person's, or a discussion on the pull request. */
export type Remark = beckon.Comment | beckon.Thread;

/** A comment that is being written. */
export interface Writing {
  /** Empty until it is kept. */
  id: string;
  lines: beckon.CommentLines;
  text: string;
}
