// Whether this page shows the demo instead of the Beckon that it came from. It is
// remembered over a reload, by which a page changes over: nothing of the one is
// left in the other.

const name = 'beckon.demo';

/** What a page comes back from the demo for. */
export type Back = 'left' | 'ended' | 'add';

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

function change(to: string): void {
  try {
    sessionStorage.setItem(name, to);
  } catch {
    return; // a browser that forbids storage shows no demo in this page
  }
  history.replaceState(null, '', location.pathname + location.search);
  location.reload();
}

function read(): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
