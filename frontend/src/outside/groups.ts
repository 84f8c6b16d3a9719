// Where sessions elsewhere hang: under the project whose folder they run in, or
// by their own folder. Pure, so that it is tested without a page.
import type { beckon } from '../bridge';

/** Sessions that stand together; without a project they stand elsewhere, by a folder. */
export interface Group {
  project: beckon.Project | undefined;
  dir: string;
  sessions: beckon.OutsideSession[];
}

/** The innermost project that a session runs in, by its folder or by the repository of its worktree. */
export function projectOf(
  session: Pick<beckon.OutsideSession, 'dir' | 'repo'>,
  projects: beckon.Project[],
): beckon.Project | undefined {
  return (
    innermost(session.dir, projects) ??
    (session.repo === '' ? undefined : innermost(session.repo, projects))
  );
}

function innermost(dir: string, projects: beckon.Project[]): beckon.Project | undefined {
  return projects
    .filter((project) => holds(project.dir, dir))
    .sort((a, b) => b.dir.length - a.dir.length)[0];
}

/** Whether a path is the folder or lies in it. */
export function holds(folder: string, path: string): boolean {
  const root = folder.replace(/[\\/]+$/, '');
  return path === root || (path.startsWith(root) && /[\\/]/.test(path.charAt(root.length)));
}

/** The projects in their order, then the folders of no project by their names; the oldest session of each first. */
export function groupsOf(sessions: beckon.OutsideSession[], projects: beckon.Project[]): Group[] {
  const groups = new Map<string, Group>(
    projects.map((project) => [project.id, { project, dir: project.dir, sessions: [] }]),
  );
  const folders: Group[] = [];
  for (const session of sessions.toSorted((a, b) => a.started - b.started)) {
    const project = projectOf(session, projects);
    const dir = session.repo || session.dir;
    let group = project ? groups.get(project.id) : folders.find((one) => one.dir === dir);
    if (group === undefined) folders.push((group = { project: undefined, dir, sessions: [] }));
    group.sessions.push(session);
  }
  return [...groups.values(), ...folders.sort((a, b) => (a.dir < b.dir ? -1 : 1))].filter(
    (group) => group.sessions.length > 0,
  );
}
