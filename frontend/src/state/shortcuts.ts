// The keys of the page as a whole. Who hears them and who lists them for the
// person read the same table, so that neither promises what the other lacks.

/**
 * Keys as they are drawn on their caps: those that are held together are
 * joined by a space, and of two the first is pressed before the second.
 */
export const shortcuts = {
  answerNext: ['Mod J'],
  search: ['Mod Shift F'],
  undo: ['Mod Z'],
  quit: ['Mod Q'],
  inbox: ['G', 'I'],
  mission: ['G', 'M'],
  board: ['G', 'B'],
  archive: ['G', 'A'],
  newTask: ['C'],
  sidebar: ['['],
} as const;
