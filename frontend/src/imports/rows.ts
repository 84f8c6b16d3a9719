// Which rows of a list become cards: the states and ticks that the person chose, and what that comes to.

import type { beckon } from '../bridge';

/** Where the rows of a state go; empty: they are left out. */
export type Column = beckon.ImportColumn | '';

/** What the person chose: where the rows of a state go, by its name; and whether a row comes, by its place. */
export interface Choices {
  to: ReadonlyMap<string, Column>;
  ticks: ReadonlyMap<number, boolean>;
}

/** What Beckon proposes. */
export function proposed(found: beckon.ImportFound): Choices {
  return { to: new Map(found.states.map(({ name, to }) => [name, to])), ticks: new Map() };
}

/** Whether a row comes: those that are here already, and those of a state that is left out, come only with a tick. */
export function comes(row: beckon.ImportRow, at: number, { to, ticks }: Choices): boolean {
  return ticks.get(at) ?? (row.same === '' && (to.get(row.state) ?? 'backlog') !== '');
}

/** Where a row goes that comes. */
export function columnOf(row: beckon.ImportRow, { to }: Choices): beckon.ImportColumn {
  return to.get(row.state) || 'backlog';
}

/** The choices with the ticks of some rows set. */
export function ticked(choices: Choices, rows: readonly number[], on: boolean): Choices {
  const ticks = new Map(choices.ticks);
  for (const at of rows) ticks.set(at, on);
  return { ...choices, ticks };
}

/** The choices with another column for a state; its rows come or not as the column says, but those that are here already. */
export function sentTo(
  choices: Choices,
  rows: readonly beckon.ImportRow[],
  state: string,
  column: Column,
): Choices {
  const ticks = new Map(choices.ticks);
  rows.forEach((row, at) => {
    if (row.state === state) ticks.delete(at);
  });
  return { to: new Map(choices.to).set(state, column), ticks };
}

interface Sums {
  coming: number;
  /** Those that are here already and stay out. */
  same: number;
  /** The others that stay out. */
  out: number;
}

export function sumsOf(rows: readonly beckon.ImportRow[], choices: Choices): Sums {
  const sums: Sums = { coming: 0, same: 0, out: 0 };
  rows.forEach((row, at) => {
    if (comes(row, at, choices)) sums.coming++;
    else if (row.same !== '') sums.same++;
    else sums.out++;
  });
  return sums;
}

/** The order for the rows that come. */
export function orderOf(found: beckon.ImportFound, choices: Choices): beckon.ImportOrder {
  const picks = found.rows.flatMap((row, at) =>
    comes(row, at, choices) ? [{ row: at, to: columnOf(row, choices) }] : [],
  );
  return { id: found.id, picks };
}

/** What the columns of a table are taken for, where the first with a name is chosen for a field, of labels all; no name takes none. */
export function takenFor(
  columns: readonly beckon.ImportTableColumn[],
  field: beckon.ImportField,
  name: string,
): (beckon.ImportField | '')[] {
  const first = columns.findIndex((column) => column.name === name);
  return columns.map((column, at) => {
    if (name !== '' && column.name === name && (at === first || field === 'labels')) return field;
    return column.field === field ? '' : column.field;
  });
}
