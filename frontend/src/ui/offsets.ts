// Where the rows of a long list stand, when each has a height of its own.

/**
 * Offsets sums heights so that finding a row and changing one are both quick:
 * a binary indexed tree, rebuilt only when the list itself changes.
 */
export class Offsets {
  #heights: number[] = [];
  #tree: number[] = [0];

  /** set replaces all heights. */
  set(heights: number[]): void {
    this.#heights = heights;
    const n = heights.length;
    this.#tree = [0, ...heights];
    for (let i = 1; i <= n; i++) {
      const up = i + (i & -i);
      if (up <= n) this.#tree[up]! += this.#tree[i]!;
    }
  }

  /** resize changes the height of one row. */
  resize(row: number, height: number): void {
    const by = height - (this.#heights[row] ?? 0);
    if (by === 0 || row >= this.#heights.length) return;
    this.#heights[row] = height;
    for (let i = row + 1; i < this.#tree.length; i += i & -i) this.#tree[i]! += by;
  }

  height(row: number): number {
    return this.#heights[row] ?? 0;
  }

  /** top returns where a row begins; of the row after the last, the total. */
  top(row: number): number {
    let sum = 0;
    for (let i = Math.min(row, this.#heights.length); i > 0; i -= i & -i) sum += this.#tree[i]!;
    return sum;
  }

  get total(): number {
    return this.top(this.#heights.length);
  }

  /** at returns the row that holds a position, kept within the list. */
  at(y: number): number {
    const n = this.#heights.length;
    let row = 0;
    let left = y;
    for (let step = 1 << Math.floor(Math.log2(Math.max(1, n))); step > 0; step >>= 1) {
      const next = row + step;
      if (next <= n && this.#tree[next]! <= left) {
        row = next;
        left -= this.#tree[next]!;
      }
    }
    return Math.max(0, Math.min(row, n - 1));
  }
}
