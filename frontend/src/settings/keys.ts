// The keys that the settings list, in the order of the page.

import type { MessageKey } from '../i18n/index.svelte';
import { shortcuts } from '../state';

/** One thing that keys do; `caps` as in `shortcuts`, with "Space" in the person's words when it is drawn. */
export interface KeyRow {
  does: MessageKey;
  caps: readonly string[];
}

/** Keys that belong together. */
export interface KeyGroup {
  title: MessageKey;
  rows: KeyRow[];
}

const arrows = ['←', '↑', '↓', '→'];

const answer: KeyRow[] = [
  { does: 'keys.answerNext', caps: shortcuts.answerNext },
  { does: 'keys.choose', caps: ['1', '2', '3', '4'] },
  { does: 'keys.other', caps: ['O'] },
  { does: 'keys.sendAnswer', caps: ['Enter'] },
  { does: 'keys.hold', caps: ['H'] },
  { does: 'keys.skip', caps: ['S'] },
  { does: 'keys.editPlan', caps: ['E'] },
  { does: 'keys.changeAnswer', caps: shortcuts.undo },
];

const goTo: KeyRow[] = [
  { does: 'keys.search', caps: shortcuts.search },
  { does: 'app.inbox', caps: shortcuts.inbox },
  { does: 'app.mission', caps: shortcuts.mission },
  { does: 'app.board', caps: shortcuts.board },
  { does: 'archive.title', caps: shortcuts.archive },
  { does: 'app.undo', caps: shortcuts.undo },
  { does: 'keys.sidebar', caps: shortcuts.sidebar },
  { does: 'keys.back', caps: ['Esc'] },
];

const board: KeyRow[] = [
  { does: 'keys.newTask', caps: shortcuts.newTask },
  { does: 'keys.walk', caps: ['J', 'K'] },
  { does: 'keys.beside', caps: arrows },
  { does: 'keys.open', caps: ['Enter'] },
  { does: 'keys.lift', caps: ['Space'] },
  { does: 'keys.select', caps: ['X'] },
  { does: 'keys.extend', caps: ['Shift J', 'Shift K'] },
  { does: 'keys.column', caps: ['Mod A'] },
  { does: 'keys.queue', caps: ['Q'] },
  { does: 'keys.labels', caps: ['L'] },
  { does: 'keys.priority', caps: ['P'] },
  { does: 'keys.archive', caps: ['A'] },
  { does: 'keys.rename', caps: ['F2'] },
  { does: 'keys.remove', caps: ['Delete'] },
  { does: 'keys.resume', caps: ['R'] },
];

const archive: KeyRow[] = [
  { does: 'archive.filter', caps: ['F'] },
  { does: 'keys.walk', caps: ['J', 'K'] },
  { does: 'keys.open', caps: ['Enter'] },
  { does: 'archive.restore', caps: ['R'] },
];

const mission: KeyRow[] = [
  { does: 'keys.pane', caps: ['Mod 1', 'Mod 9'] },
  { does: 'keys.beside', caps: arrows },
  { does: 'keys.movePane', caps: arrows.map((arrow) => `Shift ${arrow}`) },
  { does: 'keys.maximise', caps: ['Space'] },
  { does: 'keys.pin', caps: ['P'] },
  { does: 'keys.layout', caps: ['L'] },
  { does: 'keys.openTask', caps: ['Shift Enter'] },
];

const message: KeyRow[] = [
  { does: 'keys.write', caps: ['M'] },
  { does: 'keys.send', caps: ['Enter'] },
  { does: 'keys.nextTurn', caps: ['Alt Enter'] },
  { does: 'keys.newLine', caps: ['Shift Enter'] },
  { does: 'keys.saidBefore', caps: ['↑', '↓'] },
  { does: 'keys.commands', caps: ['/', '@'] },
  { does: 'keys.interrupt', caps: ['Esc'] },
];

const session: KeyRow[] = [
  { does: 'keys.find', caps: ['Mod F'] },
  { does: 'keys.step', caps: ['Alt ↑', 'Alt ↓'] },
  { does: 'keys.ends', caps: ['Home', 'End'] },
  { does: 'keys.edit', caps: ['E'] },
  { does: 'keys.stop', caps: ['Mod .'] },
];

/** All keys; those of the window only where there is one. */
export function keyGroups(window: boolean): KeyGroup[] {
  const quit: KeyRow[] = window ? [{ does: 'keys.quit', caps: shortcuts.quit }] : [];
  return [
    { title: 'keys.titleAnswer', rows: answer },
    { title: 'keys.titleGo', rows: [...goTo, ...quit] },
    { title: 'app.board', rows: board },
    { title: 'app.mission', rows: mission },
    { title: 'archive.title', rows: archive },
    { title: 'keys.titleMessage', rows: message },
    { title: 'keys.titleTask', rows: session },
  ];
}
