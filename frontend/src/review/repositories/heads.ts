// The file tree of a task over several repositories: a head for each, with its files below.

import type { ChangedFile } from '../file';
import { filtered, type Folder } from '../tree';
import { inTree } from './order';
import type { ReadPart } from './read';

/** A row of the tree: the head of a repository, or a file. */
export type HeadRow = { part: ReadPart; open: boolean } | { part: ReadPart; file: ChangedFile };

/** isFolded reports whether a repository shows only its head. */
type Folded = (part: ReadPart) => boolean;

/** headRows lists repositories and their files; a filter leaves out those in which it finds none, and opens the others. */
export function headRows(
  parts: ReadPart[],
  folders: Folder[],
  typed: string,
  folded: Folded,
): HeadRow[] {
  const { names, rest } = wordsOf(typed);
  const kept = filtered(folders, rest);
  const asks = names.length > 0 || rest !== '';
  return inTree(parts).flatMap((part): HeadRow[] => {
    const { name } = part;
    if (!names.every((one) => name.toLowerCase().includes(one))) return [];
    const files = kept
      .filter((folder) => (folder.repository ?? '') === part.repository)
      .flatMap((folder) => folder.files);
    if (rest !== '' && files.length === 0) return [];
    const open = asks || !folded(part);
    return [{ part, open }, ...(open ? files.map((file) => ({ part, file })) : [])];
  });
}

const asked = 'repo:';

/** wordsOf takes the names of repositories out of what was typed: `repo:dash` asks for those with "dash" in their names. */
function wordsOf(typed: string): { names: string[]; rest: string } {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    names: words.filter((word) => word.startsWith(asked)).map((word) => word.slice(asked.length)),
    rest: words.filter((word) => !word.startsWith(asked)).join(' '),
  };
}
