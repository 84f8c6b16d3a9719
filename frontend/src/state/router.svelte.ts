// Where the person is. Addresses are hashes, so that a reload and the back
// button work in the window, which has no server behind its paths.

import type { Place } from './entries';

export type TaskTab = 'brief' | 'session' | 'changes' | 'questions' | 'runs' | 'commands';

export type Route =
  /** `project` is a key; empty shows all. `view` is the id of a saved look at all. */
  | { page: 'board'; project: string; view?: string }
  /** `at` is where in the session to begin; without it that is the end. `since` is which of the changes to show; without it that is all since the base. */
  | { page: 'task'; key: string; tab: TaskTab; at?: Place; since?: string }
  /** `question` is the id of the one to show; empty shows the one that presses most. */
  | { page: 'inbox'; question: string }
  /** `key` is the task whose pane to focus, or empty. */
  | { page: 'mission'; key: string }
  /** `find` is what its filter begins with, or empty. */
  | { page: 'archive'; find: string }
  /** `id` is the decision to show first; without it that is the latest. */
  | { page: 'decisions'; id?: string; task?: string }
  | { page: 'numbers' }
  /** `project` is the key of the project whose settings to show, or empty: then `section` is one of the person's own. */
  | { page: 'settings'; project: string; section?: Section };

/** The sections of the person's own settings, besides the general ones. */
export type Section =
  | 'agents'
  | 'executors'
  | 'appearance'
  | 'notifications'
  | 'keys'
  | 'elsewhere'
  | 'remote'
  | 'privacy'
  | 'about';
const sections: readonly string[] = [
  'agents',
  'executors',
  'appearance',
  'notifications',
  'keys',
  'elsewhere',
  'remote',
  'privacy',
  'about',
];

const tabs: readonly string[] = ['brief', 'session', 'changes', 'questions', 'runs', 'commands'];

/** Reads an address; an unknown one is the board. */
export function parse(hash: string): Route {
  const [page = '', first = '', second = '', third = '', fourth = ''] = hash
    .replace(/^#?\//, '')
    .split('/')
    .map(decode);
  switch (page) {
    case 'task':
      return {
        page,
        key: first,
        tab: tabs.includes(second) ? (second as TaskTab) : 'session',
        ...placeOf(second, third, fourth),
        ...sinceOf(second, third),
      };
    case 'inbox':
      return { page, question: first };
    case 'mission':
      return { page, key: first };
    case 'archive':
      return { page, find: first };
    case 'decisions':
      if (first === 'of') return { page, task: second };
      return first === '' ? { page } : { page, id: first };
    case 'numbers':
      return { page };
    case 'settings':
      // A key has capital letters only.
      return sections.includes(first)
        ? { page, project: '', section: first as Section }
        : { page, project: first };
    case 'view':
      return first === ''
        ? { page: 'board', project: '' }
        : { page: 'board', project: '', view: first };
    case 'project':
      return { page: 'board', project: first };
    default:
      return { page: 'board', project: '' };
  }
}

/** Reads the place that a session's address ends in, RUN/POS or RUN/POS.PART. */
function placeOf(tab: string, runId: string, spot: string): { at?: Place } {
  const [, pos, part] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(spot) ?? [];
  if (tab !== 'session' || runId === '' || pos === undefined) return {};
  return { at: { runId, pos: Number(pos), part: Number(part ?? 0) } };
}

/** Reads which of the changes their address shows. */
function sinceOf(tab: string, since: string): { since?: string } {
  return tab === 'changes' &&
    /^(?:review|turn-\d{1,9}|commit-[0-9a-f]{1,64}|decision-[\w-]{1,64})$/.test(since)
    ? { since }
    : {};
}

/** Which of a task's changes an address shows; empty for all since the base. */
export function sinceIn(route: Route): string {
  return route.page === 'task' && route.tab === 'changes' ? (route.since ?? '') : '';
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
      if (route.view) return `#/view/${encodeURIComponent(route.view)}`;
      return route.project === '' ? '#/' : `#/project/${encodeURIComponent(route.project)}`;
    case 'task':
      return `#/task/${encodeURIComponent(route.key)}${route.at ? placeIn(route.at) : route.tab === 'session' ? '' : `/${route.tab}`}${route.since ? `/${route.since}` : ''}`;
    case 'inbox':
      return route.question === '' ? '#/inbox' : `#/inbox/${encodeURIComponent(route.question)}`;
    case 'mission':
      return route.key === '' ? '#/mission' : `#/mission/${encodeURIComponent(route.key)}`;
    case 'archive':
      return route.find === '' ? '#/archive' : `#/archive/${encodeURIComponent(route.find)}`;
    case 'decisions':
      if (route.task) return `#/decisions/of/${encodeURIComponent(route.task)}`;
      return route.id ? `#/decisions/${encodeURIComponent(route.id)}` : '#/decisions';
    case 'numbers':
      return '#/numbers';
    case 'settings':
      if (route.section) return `#/settings/${route.section}`;
      return route.project === ''
        ? '#/settings'
        : `#/settings/${encodeURIComponent(route.project)}`;
  }
}

function placeIn({ runId, pos, part = 0 }: Place): string {
  return `/session/${encodeURIComponent(runId)}/${pos}${part > 0 ? `.${part}` : ''}`;
}

/** The address of a task's page. */
export function taskHref(key: string, tab: TaskTab = 'session'): string {
  return href({ page: 'task', key, tab });
}

/** The address of a place in a task's session. */
export function placeHref(key: string, at: Place): string {
  return href({ page: 'task', key, tab: 'session', at });
}

/** Trail remembers from where the person came to a page, for Esc. */
export class Trail {
  #board: Route | undefined;
  #before: Route | undefined;

  constructor(private at: Route) {
    if (at.page === 'board') this.#board = at;
  }

  note(to: Route): void {
    if (to.page === 'board') this.#board = to;
    // From task to task, and from tab to tab, one came from the same place.
    if (to.page === 'task' && this.at.page !== 'task') this.#before = this.at;
    this.at = to;
  }

  /** Where Esc leads: from a task to where it was opened, from other pages to the board that was seen last. */
  back(home: Route): Route {
    const from = this.at.page === 'task' ? this.#before : undefined;
    return from ?? this.#board ?? home;
  }
}

class Router {
  route = $state.raw<Route>(parse(location.hash));
  #trail = new Trail(this.route);

  /** The address that was read last. */
  #read = location.hash;

  constructor() {
    addEventListener('hashchange', () => this.#follow());
  }

  #follow(): void {
    if (location.hash === this.#read) return;
    this.#read = location.hash;
    this.route = parse(this.#read);
    this.#trail.note(this.route);
  }

  /** Goes back to where the person came from; `home` is the board where that is nowhere. */
  back(home: Route): void {
    this.go(this.#trail.back(home));
  }

  go(route: Route): void {
    this.goTo(href(route));
  }

  /** Goes to the address of a route, in the frame of the key: the browser tells of it later. */
  goTo(address: string): void {
    // Who asks for a place again wants to be led there again.
    if (location.hash === address) this.route = parse(address);
    location.hash = address;
    this.#follow();
  }
}

let router: Router | undefined;

/** The page's router; made when first asked for, since tests have no page. */
export function theRouter(): Router {
  return (router ??= new Router());
}
