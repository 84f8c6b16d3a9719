// The key of the session on `beckon serve`. The cookie alone opens nothing,
// since browsers send it to every port of this machine; the storage that the
// key lies in belongs to this port only.

const name = 'beckon-key';
const form = /^[\w-]{43}$/;

/** What is used where the browser forbids storage: this page works until it is reloaded. */
let own = '';

/**
 * Takes the key that the one-time link left in the address, and clears it from
 * there. A link that an agent wrote may name a wrong one, which must not push
 * out the right one: `opens` tries it first.
 */
export async function takeKey(opens: (key: string) => Promise<boolean>): Promise<void> {
  const [, key] = /^#key=(.*)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!form.test(key) || !(await opens(key))) return;
  own = key;
  try {
    localStorage.setItem(name, key);
  } catch {
    // `own` is left.
  }
}

/** The session's key; empty where there is none. */
export function theKey(): string {
  const stored = read() ?? own;
  return form.test(stored) ? stored : '';
}

/** Calls back when a link was opened in another tab. */
export function onNewKey(call: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === name && event.newValue !== null) call();
  });
}

function read(): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
