// Where the person is. Addresses are hashes, so that a reload and the back
// button work in the window, which has no server behind its paths.

export type TaskTab = 'brief' | 'session' | 'changes' | 'runs';

export type Route =
  /** `project` is a key; empty shows all. */
  | { page: 'board'; project: string }
  | { page: 'task'; key: string; tab: TaskTab }
  /** `question` is the id of the one to show; empty shows the longest waiting. */
  | { page: 'inbox'; question: string }
  /** `project` is the key of the project whose settings to show, or empty. */
  | { page: 'settings'; project: string };

const tabs: readonly string[] = ['brief', 'session', 'changes', 'runs'];

/** Reads an address; an unknown one is the board. */
export function parse(hash: string): Route {
  const [page = '', first = '', second = ''] = hash.replace(/^#?\//, '').split('/').map(decode);
  switch (page) {
    case 'task':
      return { page, key: first, tab: tabs.includes(second) ? (second as TaskTab) : 'session' };
    case 'inbox':
      return { page, question: first };
    case 'settings':
      return { page, project: first };
    case 'project':
      return { page: 'board', project: first };
    default:
      return { page: 'board', project: '' };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** The address of a route, for links. */
export function href(route: Route): string {
  switch (route.page) {
    case 'board':
      return route.project === '' ? '#/' : `#/project/${encodeURIComponent(route.project)}`;
    case 'task':
      return `#/task/${encodeURIComponent(route.key)}${route.tab === 'session' ? '' : `/${route.tab}`}`;
    case 'inbox':
      return route.question === '' ? '#/inbox' : `#/inbox/${encodeURIComponent(route.question)}`;
    case 'settings':
      return route.project === '' ? '#/settings' : `#/settings/${encodeURIComponent(route.project)}`;
  }
}

/** The address of a task's page. */
export function taskHref(key: string, tab: TaskTab = 'session'): string {
  return href({ page: 'task', key, tab });
}

class Router {
  route = $state.raw<Route>(parse(location.hash));

  constructor() {
    addEventListener('hashchange', () => (this.route = parse(location.hash)));
  }

  go(route: Route): void {
    location.hash = href(route);
  }
}

let router: Router | undefined;

/** The page's router; made when first asked for, since tests have no page. */
export function theRouter(): Router {
  return (router ??= new Router());
}
