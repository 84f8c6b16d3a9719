// What a filter is. Pure, so that it is tested without a page.

/** What a condition can be about, in the order in which they are offered. */
export const fields = [
  'label',
  'priority',
  'state',
  'project',
  'model',
  'agent',
  'waiting',
  'file',
  'text',
] as const;
export type Field = (typeof fields)[number];

/** Whether the values of a field are listed to choose from; others are typed again. */
export function isListed(field: Field): boolean {
  return field !== 'text' && field !== 'file' && field !== 'waiting';
}

/** One condition: a card has any of the values, or with `not` none of them. */
export interface Clause {
  field: Field;
  not: boolean;
  values: string[];
}

/** Conditions that all have to hold. */
export type Filter = readonly Clause[];

/** As many conditions are kept: each is one bit of a card's mask. */
export const mostClauses = 16;

/** Adds a condition; what is asked of a field in the same way already gets the values besides. */
export function add(filter: Filter, { field, not, values }: Clause): Filter {
  const at =
    field === 'text' ? -1 : filter.findIndex((one) => one.field === field && one.not === not);
  if (at >= 0)
    return filter.map((one, i) =>
      i === at ? { ...one, values: [...new Set([...one.values, ...values])] } : one,
    );
  return filter.length < mostClauses ? [...filter, { field, not, values }] : filter;
}

/** Takes a value into a condition, or out of it. */
export function toggle(filter: Filter, at: number, values: string[]): Filter {
  return filter.map((one, i) => {
    if (i !== at) return one;
    const has = values.every((value) => one.values.includes(value));
    return {
      ...one,
      values: has
        ? one.values.filter((value) => !values.includes(value))
        : [...new Set([...one.values, ...values])],
    };
  });
}

/** Turns "is" into "is not", and back. */
export function flip(filter: Filter, at: number): Filter {
  return filter.map((one, i) => (i === at ? { ...one, not: !one.not } : one));
}

export function remove(filter: Filter, at: number): Filter {
  return filter.filter((_, i) => i !== at);
}

/** Without the conditions that ask for nothing. */
export function tidy(filter: Filter): Filter {
  return filter.some((one) => one.values.length === 0)
    ? filter.filter((one) => one.values.length > 0)
    : filter;
}

/** Whether two filters ask the same; the order of values and conditions does not count. */
export function same(a: Filter, b: Filter): boolean {
  const words = (filter: Filter) =>
    tidy(filter)
      .map((one) => JSON.stringify([one.field, one.not, one.values.toSorted()]))
      .toSorted()
      .join();
  return words(a) === words(b);
}
