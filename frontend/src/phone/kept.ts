// What the page keeps in this browser: all of it is small, and all of it goes
// when the device is forgotten.

const prefix = 'beckon.phone.';

/** What a browser that keeps nothing has until the page is closed. */
const briefly = new Map<string, string>();

/** What is kept under a name; undefined where there is nothing that can be read. */
export function kept<T>(name: string): T | undefined {
  try {
    return (
      (JSON.parse(
        briefly.get(name) ?? localStorage.getItem(prefix + name) ?? 'null',
      ) as T | null) ?? undefined
    );
  } catch {
    return undefined;
  }
}

/** Keeps a value; undefined removes it. Without room or leave to, the page works on and forgets when it is closed. */
export function keep(name: string, value: unknown): void {
  briefly.delete(name);
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    if (value !== undefined) briefly.set(name, JSON.stringify(value)); // a private window, or a full disk
  }
}

/** The names that begin so. */
export function namesOf(beginning: string): string[] {
  try {
    return Object.keys(localStorage).flatMap((name) =>
      name.startsWith(prefix + beginning) ? [name.slice(prefix.length)] : [],
    );
  } catch {
    return [];
  }
}

/** Forgets everything. */
export function forgetAll(): void {
  briefly.clear();
  for (const name of namesOf('')) keep(name, undefined);
}
