import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import type { Lane, Lanes } from '../state';
import { announcer } from '../ui/announcer.svelte';
import { nextLane, withCardAt } from './moves';

/** A card in the hand of the keyboard, over the place where it would drop. */
interface Lifted {
  task: beckon.Task;
  home: Lane;
  lane: Lane;
  index: number;
}

/** Moves cards by keys: Space lifts, arrows move, Space drops, Esc puts back. */
export class KeyboardDrag {
  #lifted = $state.raw<Lifted | undefined>();
  #lanes: () => Lanes;
  #place: (task: beckon.Task, lane: Lane, index: number) => void;

  /** `place` puts a card where it was dropped. */
  constructor(lanes: () => Lanes, place: (task: beckon.Task, lane: Lane, index: number) => void) {
    this.#lanes = lanes;
    this.#place = place;
  }

  /** The id of the card that is lifted. */
  get taskId(): string {
    return this.#lifted?.task.id ?? '';
  }

  /** The board as it would be if the card were dropped. */
  get shown(): Lanes {
    const lanes = this.#lanes();
    const up = this.#lifted;
    return up === undefined ? lanes : withCardAt(lanes, up.task, up.lane, up.index);
  }

  /** Takes a key on a card, by its cap; returns whether it meant something. */
  key(cap: string, task: beckon.Task): boolean {
    if (this.#lifted === undefined) return cap === 'Space' && this.#lift(task);
    switch (cap) {
      case 'Space':
      case 'Enter':
        this.#drop();
        return true;
      case 'Esc':
        this.putBack();
        return true;
      case '↑':
      case '↓':
        this.#along(cap === '↑' ? -1 : 1);
        return true;
      case '←':
      case '→':
        this.#across(cap === '←' ? -1 : 1);
        return true;
      default:
        return false;
    }
  }

  /** Lets go without moving anything. */
  putBack(): void {
    const up = this.#lifted;
    if (up === undefined) return;
    this.#lifted = undefined;
    announcer.interrupt(t('board.putBack', { key: up.task.key, lane: t(`words.${up.home}`) }));
  }

  #lift(task: beckon.Task): boolean {
    if (task.status === 'archived') return false;
    const index = this.#lanes()[task.status].findIndex((one) => one.id === task.id);
    if (index < 0) return false;
    this.#lifted = { task, home: task.status, lane: task.status, index };
    this.#say('board.lifted');
    return true;
  }

  #drop(): void {
    const { task, lane, index } = this.#lifted!;
    this.#say('board.dropped');
    this.#lifted = undefined;
    this.#place(task, lane, index);
  }

  #along(by: -1 | 1): void {
    const up = this.#lifted!;
    const index = Math.min(this.shown[up.lane].length - 1, Math.max(0, up.index + by));
    this.#lifted = { ...up, index };
    this.#say('board.over');
  }

  #across(by: -1 | 1): void {
    const up = this.#lifted!;
    const lane = nextLane(up.home, up.lane, by);
    if (lane !== undefined) {
      const others = this.#lanes()[lane].filter((one) => one.id !== up.task.id);
      this.#lifted = { ...up, lane, index: Math.min(up.index, others.length) };
    }
    this.#say('board.over');
  }

  #say(key: 'board.lifted' | 'board.over' | 'board.dropped'): void {
    const { task, lane, index } = this.#lifted!;
    announcer.interrupt(
      t(key, {
        key: task.key,
        lane: t(`words.${lane}`),
        place: index + 1,
        count: this.shown[lane].length,
      }),
    );
  }
}
