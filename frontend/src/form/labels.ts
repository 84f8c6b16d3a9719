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

/** The labels that what was typed finds, those that begin with it first, and itself where it is none of them. */
export function findLabels(
  typed: string,
  known: Iterable<string>,
): { found: string[]; fresh: string } {
  const wish = typed.trim().toLowerCase();
  const begins = (label: string) => (label.toLowerCase().startsWith(wish) ? 0 : 1);
  const found = [...new Set(known)]
    .filter((label) => label.toLowerCase().includes(wish))
    .sort((a, b) => begins(a) - begins(b) || a.localeCompare(b));
  return { found, fresh: found.some((label) => label.toLowerCase() === wish) ? '' : typed.trim() };
}

/** What is offered for what was typed: known labels that the task does not have, then what was typed itself. */
export function offersOf(typed: string, labels: string[], known: Iterable<string>): Offer[] {
  const { found, fresh } = findLabels(typed, [...known, ...labels]);
  const offers = found
    .filter((label) => !labels.includes(label))
    .slice(0, mostOffers)
    .map((label) => ({ label, fresh: false }));
  return fresh === '' ? offers : [...offers, { label: fresh, fresh: true }];
}
