import type { Lane } from '../state';

class Drag {
  /** The column that the card in the pointer's hand came from. */
  from = $state<Lane | undefined>();
  /** The card's id. */
  id = $state('');

  end(): void {
    this.from = undefined;
    this.id = '';
  }
}

/** What the columns must know of each other while a pointer moves a card. */
export const drag = new Drag();
