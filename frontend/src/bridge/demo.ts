// Whether this page shows the demo instead of the Beckon that it came from. It is
// remembered over a reload, by which a page changes over: nothing of the one is
// left in the other.
import type { ShellEvent } from './types';

const name = 'beckon.demo';
const calls = 'beckon.demo.called';

/** How long a page that is to change over waits for what it has under way, in milliseconds. */
const patience = 30_000;

let underWay: () => Promise<void> = () => Promise.resolve();

/** What a page comes back from the demo for: `called` is that the desktop asked for something outside it. */
export type Back = 'left' | 'ended' | 'add' | 'called';

/**
 * Names what a page waits for before it changes over. WebKit (2.50) asks without end for a
 * module that two others import and that a reload calls off, and shows nothing any more.
 */
export function changeOverAfter(wait: () => Promise<void>): void {
  underWay = wait;
}

/** Whether the page is to show the demo. */
export function inDemo(): boolean {
  return read() === 'guest';
}

/** Shows the demo, which must run. */
export function enterDemo(): void {
  change('guest');
}

export function comeBack(why: Back): void {
  change(why);
}

/** Why the page has just come back, once; undefined where it has not. */
export function cameBack(): Back | undefined {
  const why = read();
  if (why === 'guest' || why === null) return undefined;
  sessionStorage.removeItem(name);
  return why as Back;
}

/** Keeps what the desktop asks of the Beckon around the demo for when the page is back there. */
export function keepCalls(events: ShellEvent[]): void {
  sessionStorage.setItem(calls, JSON.stringify(events));
}

/** What was kept, once. */
export function keptCalls(): ShellEvent[] {
  const kept = sessionStorage.getItem(calls);
  if (kept === null || inDemo()) return [];
  sessionStorage.removeItem(calls);
  return JSON.parse(kept) as ShellEvent[];
}

function change(to: string): void {
  try {
    sessionStorage.setItem(name, to);
  } catch {
    return; // a browser that forbids storage shows no demo in this page
  }
  history.replaceState(null, '', location.pathname + location.search);
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  void Promise.race([underWay(), late]).then(() => location.reload());
}

function read(): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
