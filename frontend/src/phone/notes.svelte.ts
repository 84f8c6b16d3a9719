// What went wrong while nobody looked: an answer that came too late, or was
// refused. It stays until the person has read it, with the words they wrote.

import { keep, kept } from './kept';

export interface Note {
  id: string;
  key: string;
  /** What became of it. */
  text: string;
  /** What the person had said. */
  words: string;
}

class Notes {
  all = $state.raw<Note[]>(kept<Note[]>('notes') ?? []);

  add(note: Note): void {
    this.#set([...this.all.filter((one) => one.id !== note.id), note].slice(-10));
  }

  close(id: string): void {
    this.#set(this.all.filter((one) => one.id !== id));
  }

  #set(all: Note[]): void {
    this.all = all;
    keep('notes', all.length > 0 ? all : undefined);
  }
}

export const notes = new Notes();
