// Changes of the list of a project's further repositories.

import type { beckon } from '../bridge';
import { stepped } from '../ui/stepped';

type List = beckon.ProjectRepository[];

/** movedTo returns a list with one of it a place later (1) or earlier (-1); at the ends it is the same list. */
export function movedTo(list: List, name: string, by: 1 | -1): List {
  return stepped(
    list,
    list.findIndex((one) => one.name === name),
    by,
  );
}

/** added returns what a folder is as a further repository of a project. */
export function added(
  project: beckon.Project,
  { dir, name, base }: beckon.ProjectFound,
): beckon.ProjectRepository {
  return { name: nameFor(project, name), dir, base, mergeWay: project.mergeWay, fromStart: true };
}

const unsound = /[^A-Za-z0-9._-]+/g;
const longest = 36;

/** nameFor makes a name of that of a folder: of the letters that a name may have, and no other repository's. */
function nameFor({ repositories }: beckon.Project, folder: string): string {
  const made =
    folder
      .replace(unsound, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, longest) || 'repository';
  const taken = new Set(repositories.map(({ name }) => name.toLowerCase()));
  if (!taken.has(made.toLowerCase())) return made;
  let n = 2;
  while (taken.has(`${made}-${n}`.toLowerCase())) n++;
  return `${made}-${n}`;
}
