// What comes to a chat. An empty list is everything, so that a project that is added
// later comes, too.

/** The kinds of questions, in the order in which they are listed. */
export const kinds = ['ask', 'permission', 'plan', 'elicitation'] as const;

/** The list once one of all was switched on or off. The last one stays on: a chat that gets nothing is removed instead. */
export function flipped(chosen: string[], all: readonly string[], one: string): string[] {
  const on = chosen.length === 0 ? [...all] : all.filter((id) => chosen.includes(id));
  const left = on.includes(one)
    ? on.filter((id) => id !== one)
    : all.filter((id) => id === one || on.includes(id));
  if (left.length === 0) return chosen;
  return left.length === all.length ? [] : left;
}
