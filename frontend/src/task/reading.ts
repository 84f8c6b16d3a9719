// Reading again what goes on, once at a time.

/** How often what works is read again, in milliseconds. */
export const readEvery = 4000;

/**
 * Has work done once at a time: who asks while it is done has it done once more after that, however
 * often they ask. The work catches its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let busy = false;
  let again = false;
  return async () => {
    again = true;
    if (busy) return;
    busy = true;
    while (again) {
      again = false;
      await work();
    }
    busy = false;
  };
}

/** Reads at once and every few seconds, until the returned function is called. */
export function readOn(read: () => Promise<void>): () => void {
  void read();
  const timer = setInterval(() => void read(), readEvery);
  return () => clearInterval(timer);
}
