// The labels of a task being written, and those that are offered for what is typed.

/** A label that is offered; a fresh one no task has yet. */
export interface Offer {
  label: string;
  fresh: boolean;
}

/** As many are offered at most. */
const mostOffers = 8;

/** Labels with one more: an empty one, or one they have, changes nothing. */
export function withLabel(labels: string[], label: string): string[] {
  const own = label.trim();
  return own === '' || labels.includes(own) ? labels : [...labels, own];
}

/** What is offered for what was typed: known labels, those that begin with it first, then what was typed itself. */
export function offersOf(typed: string, labels: string[], known: Iterable<string>): Offer[] {
  const wish = typed.trim().toLowerCase();
  const all = [...new Set(known)].filter((label) => label.toLowerCase().includes(wish));
  const begins = (label: string) => (label.toLowerCase().startsWith(wish) ? 0 : 1);
  const found = all.filter((label) => !labels.includes(label)).sort((a, b) => begins(a) - begins(b) || a.localeCompare(b)).slice(0, mostOffers);
  const exact = [...all, ...labels].some((label) => label.toLowerCase() === wish);
  return [...found.map((label) => ({ label, fresh: false })), ...(wish === '' || exact ? [] : [{ label: typed.trim(), fresh: true }])];
}
