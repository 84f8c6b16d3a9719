// Where the page is, by the fragment of its address, which never leaves the
// browser.

/** Route is what is shown. */
export type Route = { page: 'inbox' } | { page: 'question'; id: string };

export function routeOf(hash: string): Route {
  const id = /^#\/q\/([\w-]{1,64})$/.exec(hash)?.[1];
  return id === undefined ? { page: 'inbox' } : { page: 'question', id };
}

/** codeOf is the code that a pairing link carries; "" for others. */
export function codeOf(hash: string): string {
  return tidy(/^#pair=([\w-]{1,40})$/.exec(hash)?.[1] ?? '');
}

/** tidy is a code as Beckon made it, of what a person typed: O is 0, I and L are 1. */
export function tidy(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '');
}

/** shown is a code as it stands on the desk's screen. */
export function shown(code: string): string {
  return code.length > 4 ? `${code.slice(0, 4)}-${code.slice(4)}` : code;
}
