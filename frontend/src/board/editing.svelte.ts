import type { Choice } from '../state';

/** What is being changed on cards of the board: a list to choose from, lines that become cards, or a title in its place. */
export type Edit =
  | { what: Choice; ids: string[] }
  | { what: 'rename'; id: string }
  /** `from` is a card that is split; without one they were pasted. */
  | { what: 'lines'; projectId: string; lines: string[]; from?: string };

class Editing {
  now = $state.raw<Edit | undefined>();

  /** Whether the title of a card is being written. */
  renames(id: string): boolean {
    return this.now?.what === 'rename' && this.now.id === id;
  }

  end(): void {
    this.now = undefined;
  }
}

/** The page's one. */
export const editing = new Editing();
