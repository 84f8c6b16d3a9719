/** How long a page rests before it fetches what may be wanted next, in milliseconds. */
const rest = 2000;

type Load<T> = () => Promise<T>;

/** What is here, by what fetched it: even of a module that is here an import takes more than a frame. */
const here = new WeakMap<Load<unknown>, unknown>();

/** What is being fetched. */
const fetching = new Set<Promise<unknown>>();

/** Fetches a part of the page; it is here from then on. */
export async function fetchPart<T>(load: Load<T>): Promise<T> {
  const loading = load();
  fetching.add(loading);
  try {
    const part = await loading;
    here.set(load, part);
    return part;
  } finally {
    fetching.delete(loading);
  }
}

/** Settles once nothing is being fetched. */
export async function nothingFetched(): Promise<void> {
  while (fetching.size > 0) await Promise.allSettled(fetching);
}

/** The part that was fetched, if it was. */
export function fetchedPart<T>(load: Load<T>): T | undefined {
  return here.get(load) as T | undefined;
}

/** Fetches what is one key away, once the page has what it shows; the function that is returned calls it off. */
export function prefetch(...loads: Load<unknown>[]): () => void {
  // What cannot be fetched says so where it is wanted.
  const timer = setTimeout(
    () => loads.forEach((load) => void fetchPart(load).catch(() => {})),
    rest,
  );
  return () => clearTimeout(timer);
}
