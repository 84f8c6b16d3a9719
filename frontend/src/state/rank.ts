/** What ranks are apart where there is no neighbour. */
const step = 1024;

/**
 * The rank between two neighbours, either of which may be missing. Without
 * both the answer is 0, which Beckon takes for the column's end, and so no
 * place in between may have it.
 */
export function between(above: number | undefined, below: number | undefined): number {
  if (below === undefined) return 0;
  const rank = above === undefined ? below - step : (above + below) / 2;
  return rank === 0 ? nonZero(above, below) : rank;
}

/** The rank behind the last card of a column that it is in already; there 0 would leave it where it is. */
export function behind(last: number): number {
  return last + step || step / 2;
}

function nonZero(above: number | undefined, below: number): number {
  return above === undefined ? below / 2 : below / 4;
}
