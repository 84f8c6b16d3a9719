/** What was done last that is no change of cards, and how it is taken back. */
let last: { at: number; undo: () => unknown } | undefined;

export const lately = {
  /** Notes what was done just now. */
  did(undo: () => unknown): void {
    last = { at: Date.now(), undo };
  },
  /** Forgets it, if that is it: it was taken back otherwise. */
  forget(undo: () => unknown): void {
    if (last?.undo === undo) last = undefined;
  },
  /** When that was; undefined where there is nothing to take back. */
  at: (): number | undefined => last?.at,
  /** Takes it back, once; with an argument only if that is it. */
  undo(only?: () => unknown): void {
    if (!last || (only && last.undo !== only)) return;
    const { undo } = last;
    last = undefined;
    undo();
  },
};
