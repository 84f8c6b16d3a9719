// Which side a person takes in each place of the files in conflict.

import { SvelteMap } from 'svelte/reactivity';
import type { beckon } from '../bridge';

type Side = beckon.ConflictSide;

export class Taking {
  /** By the path of a file: the token of the conflict that was looked at, and a side by the number of the place. */
  readonly #files = new SvelteMap<string, { token: string; sides: Map<number, Side> }>();

  /** The side that was taken in a place, which of a file without places is the first; undefined for none. */
  side(of: beckon.Conflict, place: number): Side | undefined {
    const file = this.#files.get(of.path);
    return file?.token === of.token ? file.sides.get(place) : undefined;
  }

  /** Takes a side in a place; the one that is taken already is let go. */
  take(of: beckon.Conflict, place: number, side: Side): void {
    const sides = new Map(this.#sides(of));
    if (sides.get(place) === side) sides.delete(place);
    else sides.set(place, side);
    this.#files.set(of.path, { token: of.token, sides });
  }

  /** How many places have a side, and how many there are. */
  counted(list: readonly beckon.Conflict[]): { taken: number; all: number } {
    return list.reduce(
      (sum, one) => ({ taken: sum.taken + this.#sides(one).size, all: sum.all + placesOf(one) }),
      { taken: 0, all: 0 },
    );
  }

  /** The files that have a side in each of their places. */
  whole(list: readonly beckon.Conflict[]): beckon.TakenSides[] {
    return list
      .filter((one) => one.token !== '' && this.#sides(one).size === placesOf(one))
      .map((one) => ({
        path: one.path,
        token: one.token,
        sides: Array.from({ length: placesOf(one) }, (_, i) => this.side(one, i)!),
      }));
  }

  #sides(of: beckon.Conflict): ReadonlyMap<number, Side> {
    const file = this.#files.get(of.path);
    return file?.token === of.token ? file.sides : new Map<number, Side>();
  }
}

/** A file without places is taken whole. */
function placesOf(one: beckon.Conflict): number {
  return one.kind === 'content' ? one.hunks.length : 1;
}

/** What can be taken in a file: both sides only where they are lines. */
export function sidesOf(one: beckon.Conflict): Side[] {
  if (one.token === '') return [];
  return one.kind === 'content' ? ['base', 'task', 'both'] : ['base', 'task'];
}
