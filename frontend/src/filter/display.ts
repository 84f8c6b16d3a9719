// How a board's cards are grouped, ordered and drawn. Pure.

export const groups = ['none', 'project', 'label', 'priority', 'agent'] as const;
export const sorts = ['manual', 'priority', 'updated', 'created'] as const;
export const parts = ['labels', 'priority', 'time', 'spent', 'changes', 'model', 'branch'] as const;
export type CardPart = (typeof parts)[number];

export interface Display {
  group: (typeof groups)[number];
  sort: (typeof sorts)[number];
  /** What each card shows. */
  shows: CardPart[];
  hideDone: boolean;
  /** Columns without a card that is shown. */
  hideEmpty: boolean;
}

/** How a board is shown that nobody changed. */
export const plain: Display = {
  group: 'none',
  sort: 'manual',
  shows: ['labels', 'priority', 'time', 'spent', 'changes'],
  hideDone: false,
  hideEmpty: false,
};

export function sameDisplay(a: Display, b: Display): boolean {
  const words = (one: Display) =>
    [
      one.group,
      one.sort,
      one.hideDone,
      one.hideEmpty,
      ...parts.filter((part) => one.shows.includes(part)),
    ].join();
  return words(a) === words(b);
}

/** Whether cards stand where a person put them. */
export function isManual({ group, sort }: Display): boolean {
  return group === 'none' && sort === 'manual';
}

/** Reads what was kept; what is none of it is as on a board that nobody changed. */
export function readDisplay(kept: unknown): Display {
  const { group, sort, shows, hideDone, hideEmpty } = (
    typeof kept === 'object' && kept !== null ? kept : {}
  ) as Record<string, unknown>;
  return {
    group: groups.find((one) => one === group) ?? plain.group,
    sort: sorts.find((one) => one === sort) ?? plain.sort,
    shows: Array.isArray(shows) ? parts.filter((part) => shows.includes(part)) : plain.shows,
    hideDone: hideDone === true,
    hideEmpty: hideEmpty === true,
  };
}
