/** How long a page rests before it fetches what may be wanted next, in milliseconds. */
const rest = 2000;

/** Fetches what is one key away, once the page has what it shows; the function that is returned calls it off. */
export function prefetch(...loads: (() => Promise<unknown>)[]): () => void {
  // What cannot be fetched says so where it is wanted.
  const timer = setTimeout(() => loads.forEach((load) => void load().catch(() => {})), rest);
  return () => clearTimeout(timer);
}
