// Every key that the page takes, in one table, with the ones that the person chose in their
// place. Who hears keys and who lists them for the person read it, so that neither promises what
// the other lacks.

import { SvelteMap } from 'svelte/reactivity';
import type { MessageKey } from '../i18n/index.svelte';

/** One thing that keys do. */
export interface KeyRow {
  does: MessageKey;
  /**
   * Its keys as their caps are drawn: held together they are joined by a
   * space, pressed one after the other by ">". Of several, the hearer gets
   * the number of the one that was pressed.
   */
  keys: readonly string[];
  /** Heard in a text field, too, as far as it is held with Mod. */
  typing?: true;
  /** Only where Beckon is a window: a browser keeps it for itself. */
  window?: true;
}

const digits = (before: string) => Array.from({ length: 9 }, (_, i) => `${before}${i + 1}`);
const arrows = ['←', '↑', '↓', '→'];

/**
 * The places where keys act, and what they do there. The innermost place that
 * knows a key has it: a question before its card, a card before the board.
 */
export const keymap = {
  everywhere: {
    answerNext: { does: 'keys.answerNext', keys: ['Mod J', 'G>J'], typing: true },
    reviewNext: { does: 'keys.reviewNext', keys: ['G>R'] },
    palette: { does: 'keys.palette', keys: ['Mod K'], typing: true },
    keys: { does: 'keys.sheet', keys: ['?'] },
    undo: { does: 'app.undo', keys: ['Mod Z'] },
    redo: { does: 'app.redo', keys: ['Mod Shift Z'] },
    search: { does: 'keys.search', keys: ['Mod Shift F'], typing: true },
    inbox: { does: 'app.inbox', keys: ['G>I'] },
    mission: { does: 'app.mission', keys: ['G>M'] },
    board: { does: 'app.board', keys: ['G>B'] },
    archive: { does: 'app.archive', keys: ['G>A'] },
    decisions: { does: 'app.decisions', keys: ['G>D'] },
    numbers: { does: 'app.numbers', keys: ['G>N'] },
    settings: { does: 'app.settings', keys: ['Mod ,'], typing: true },
    newTask: { does: 'keys.newTask', keys: ['C', 'Shift C'] },
    sidebar: { does: 'keys.sidebar', keys: ['Mod B', '['], typing: true },
    back: { does: 'keys.back', keys: ['Esc'] },
    quit: { does: 'keys.quit', keys: ['Mod Q'], typing: true, window: true },
  },
  question: {
    choose: { does: 'keys.choose', keys: digits('') },
    other: { does: 'keys.other', keys: ['O'] },
    send: { does: 'keys.sendAnswer', keys: ['Enter'] },
    turn: { does: 'keys.turn', keys: ['J', 'K'] },
    hold: { does: 'keys.hold', keys: ['H'] },
    skip: { does: 'keys.skip', keys: ['S'] },
    editPlan: { does: 'keys.editPlan', keys: ['E'] },
    tryTwo: { does: 'keys.tryTwo', keys: ['B'] },
  },
  card: {
    open: { does: 'keys.open', keys: ['Enter'] },
    lift: { does: 'keys.lift', keys: ['Space'] },
    beside: { does: 'keys.beside', keys: arrows },
    select: { does: 'keys.select', keys: ['X'] },
    extend: { does: 'keys.extend', keys: ['Shift J', 'Shift K'] },
    column: { does: 'keys.column', keys: ['Mod A'] },
    clear: { does: 'keys.clear', keys: ['Esc'] },
    labels: { does: 'keys.labels', keys: ['L'] },
    priority: { does: 'keys.priority', keys: ['P'] },
    model: { does: 'keys.model', keys: ['Shift M'] },
    waits: { does: 'keys.waits', keys: ['W'] },
    queue: { does: 'keys.queue', keys: ['Q'] },
    resume: { does: 'keys.resume', keys: ['R'] },
    archive: { does: 'keys.archive', keys: ['A'] },
    edit: { does: 'keys.edit', keys: ['E'] },
    rename: { does: 'keys.rename', keys: ['F2'] },
    write: { does: 'keys.write', keys: ['M'] },
    openIn: { does: 'keys.openIn', keys: ['O'] },
    stop: { does: 'keys.stop', keys: ['Mod .'] },
    remove: { does: 'keys.remove', keys: ['Delete'] },
  },
  board: {
    walk: { does: 'keys.walk', keys: ['J', 'K'] },
    filter: { does: 'keys.filter', keys: ['F'] },
    display: { does: 'keys.display', keys: ['Shift F'] },
    clear: { does: 'keys.clearFilter', keys: ['Esc'] },
    across: { does: 'keys.across', keys: ['Shift H', 'Shift L'] },
    quickAdd: { does: 'keys.quickAdd', keys: ['N'] },
    import: { does: 'keys.import', keys: ['Shift N'] },
  },
  mission: {
    pane: { does: 'keys.pane', keys: [...digits('Mod '), ...digits('G>')], typing: true },
    walk: { does: 'keys.walkPanes', keys: ['J', 'K'] },
    beside: { does: 'keys.besidePane', keys: arrows },
    move: { does: 'keys.movePane', keys: arrows.map((arrow) => `Shift ${arrow}`) },
    layout: { does: 'keys.layout', keys: ['L'] },
    answerNext: { does: 'keys.answerPane', keys: ['Mod J', 'G>J'], typing: true },
  },
  pane: {
    write: { does: 'keys.write', keys: ['M'] },
    whole: { does: 'keys.maximise', keys: ['Space'] },
    pin: { does: 'keys.pin', keys: ['P'] },
    open: { does: 'keys.openTask', keys: ['Shift Enter'] },
    resume: { does: 'keys.resume', keys: ['R'] },
    stop: { does: 'keys.stop', keys: ['Mod .'], typing: true },
    back: { does: 'keys.leavePane', keys: ['Esc'] },
  },
  outside: {
    terminal: { does: 'mission.showTerminal', keys: ['T'] },
    whole: { does: 'keys.maximise', keys: ['Space'] },
    pin: { does: 'keys.pin', keys: ['P'] },
    back: { does: 'keys.leavePane', keys: ['Esc'] },
  },
  inbox: {
    walk: { does: 'keys.walkQuestions', keys: ['J', 'K'] },
    around: { does: 'keys.around', keys: ['Space'] },
    open: { does: 'keys.openTask', keys: ['Shift Enter'] },
    terminal: { does: 'mission.showTerminal', keys: ['T'] },
    back: { does: 'keys.backToList', keys: ['Esc'] },
  },
  archive: {
    find: { does: 'archive.filter', keys: ['F'] },
    walk: { does: 'keys.walk', keys: ['J', 'K', '↓', '↑'] },
    open: { does: 'keys.open', keys: ['Enter'] },
    look: { does: 'archive.look', keys: ['I'] },
    restore: { does: 'archive.restore', keys: ['R'] },
  },
  decisions: {
    find: { does: 'decisions.find', keys: ['F'] },
    walk: { does: 'keys.walk', keys: ['J', 'K', '↓', '↑'] },
    open: { does: 'decisions.openChanges', keys: ['Enter'] },
    look: { does: 'decisions.look', keys: ['I'] },
    session: { does: 'decisions.showSession', keys: ['Space'] },
    differ: { does: 'decisions.differ', keys: ['R'] },
    assumed: { does: 'decisions.assumedOnly', keys: ['U'] },
    undone: { does: 'decisions.undoneOnly', keys: ['Shift U'] },
    task: { does: 'decisions.taskOnly', keys: ['T'] },
    export: { does: 'decisions.export', keys: ['E'] },
  },
  numbers: {
    measure: { does: 'numbers.measure', keys: ['1', '2', '3', '4', '5', '6'] },
    walk: { does: 'keys.walk', keys: ['J', 'K', '↓', '↑'] },
    open: { does: 'keys.open', keys: ['Enter'] },
    export: { does: 'numbers.export', keys: ['E'] },
  },
  task: {
    write: { does: 'keys.write', keys: ['M'] },
    edit: { does: 'keys.edit', keys: ['E'] },
    openIn: { does: 'keys.openIn', keys: ['O'] },
    openDev: { does: 'keys.openDev', keys: ['Shift O'] },
    terminal: { does: 'keys.terminal', keys: ['G>T'] },
    timeline: { does: 'keys.timeline', keys: ['G>L'] },
    resume: { does: 'keys.resume', keys: ['R'] },
    stop: { does: 'keys.stop', keys: ['Mod .'], typing: true },
  },
  timeline: {
    event: { does: 'keys.timeEvent', keys: [',', '.'] },
    wait: { does: 'keys.timeWait', keys: ['W'] },
    now: { does: 'keys.timeNow', keys: ['Esc'] },
  },
  terminal: {
    leave: { does: 'keys.leaveTerminal', keys: ['Shift Esc'] },
    copy: { does: 'keys.copyTerminal', keys: ['Mod Shift C'] },
  },
  diff: {
    walk: { does: 'keys.hunk', keys: ['J', 'K'] },
    file: { does: 'keys.file', keys: [']', '[', 'Alt ↓', 'Alt ↑'] },
    repository: { does: 'keys.repository', keys: ['}', '{', 'Alt Shift ↓', 'Alt Shift ↑'] },
    viewed: { does: 'keys.viewed', keys: ['V'] },
    edit: { does: 'keys.editLine', keys: ['E'] },
    fold: { does: 'keys.foldFile', keys: ['F'] },
    unfold: { does: 'keys.unfold', keys: ['L', 'Shift L'] },
    since: { does: 'keys.since', keys: ['T'] },
    turn: { does: 'keys.turns', keys: [',', '.'] },
    split: { does: 'keys.split', keys: ['S'] },
    why: { does: 'keys.why', keys: ['Y', 'Shift Y'] },
    decided: { does: 'keys.whyDecision', keys: ['D'] },
    said: { does: 'keys.whySession', keys: ['Space'] },
    close: { does: 'keys.whyClose', keys: ['Esc'] },
    space: { does: 'keys.ignoreSpace', keys: ['W'] },
    merge: { does: 'keys.merge', keys: ['M'] },
    ways: { does: 'keys.ways', keys: ['Shift M'] },
    update: { does: 'keys.update', keys: ['U'] },
    resolve: { does: 'keys.resolve', keys: ['Shift U'] },
    take: { does: 'keys.takeSide', keys: ['1', '2', '3'] },
    comment: { does: 'keys.comment', keys: ['C'] },
    extend: { does: 'keys.extendLines', keys: ['Shift J', 'Shift K'] },
    send: { does: 'keys.sendComments', keys: ['Mod Enter'] },
    post: { does: 'keys.postComments', keys: ['Mod Shift Enter'] },
  },
  plan: {
    pick: { does: 'keys.planRow', keys: digits('') },
    walk: { does: 'keys.walkRows', keys: ['J', 'K', '↓', '↑'] },
    move: { does: 'keys.planMove', keys: ['Alt ↓', 'Alt ↑'] },
    leave: { does: 'keys.planLeave', keys: ['X'] },
    go: { does: 'keys.planGo', keys: ['Enter'] },
    back: { does: 'keys.planBack', keys: ['Esc'] },
  },
  note: {
    keep: { does: 'keys.keepDraft', keys: ['Enter'] },
    newLine: { does: 'keys.newLine', keys: ['Shift Enter'] },
    send: { does: 'keys.sendComments', keys: ['Mod Enter'] },
    post: { does: 'keys.postComments', keys: ['Mod Shift Enter'] },
    leave: { does: 'keys.leaveNote', keys: ['Esc'] },
  },
  history: {
    walk: { does: 'keys.walkQuestions', keys: ['J', 'K', '↓', '↑'] },
  },
  session: {
    find: { does: 'keys.find', keys: ['Mod F'] },
    step: { does: 'keys.step', keys: ['Alt ↑', 'Alt ↓'] },
    ends: { does: 'keys.ends', keys: ['Home', 'End'] },
  },
  composer: {
    send: { does: 'keys.send', keys: ['Enter'] },
    queue: { does: 'keys.nextTurn', keys: ['Alt Enter'] },
    newLine: { does: 'keys.newLine', keys: ['Shift Enter'] },
    said: { does: 'keys.saidBefore', keys: ['↑', '↓'] },
    complete: { does: 'keys.commands', keys: ['/', '@'] },
    leave: { does: 'keys.interrupt', keys: ['Esc'] },
  },
  imports: {
    source: { does: 'keys.importSource', keys: ['1', '2', '3', '4'] },
    walk: { does: 'keys.walkRows', keys: ['J', 'K', '↓', '↑'] },
    leave: { does: 'keys.leaveOut', keys: ['X', 'Space'] },
    all: { does: 'keys.allRows', keys: ['Mod A'] },
  },
  repositories: {
    move: { does: 'keys.planMove', keys: ['Alt ↓', 'Alt ↑'] },
  },
  quick: {
    add: { does: 'keys.addCard', keys: ['Enter'] },
    queue: { does: 'keys.queueCard', keys: ['Mod Enter'] },
    more: { does: 'keys.moreOfCard', keys: ['Shift Enter'] },
    complete: { does: 'keys.quickWords', keys: ['#', '!', '@'] },
    leave: { does: 'keys.leaveNote', keys: ['Esc'] },
  },
  form: {
    commit: { does: 'keys.commit', keys: ['Mod Enter'] },
    save: { does: 'keys.save', keys: ['Mod S'] },
    complete: { does: 'keys.files', keys: ['@'] },
  },
} as const satisfies Record<string, Record<string, KeyRow>>;

export type Place = keyof typeof keymap;
export type KeyId<P extends Place> = keyof (typeof keymap)[P] & string;

/** What each row of a place does; the one whose key does nothing just now returns false. */
export type Does<P extends Place> = Record<
  KeyId<P>,
  (nth: number, event: KeyboardEvent) => boolean | void
>;

/** The keys that the person chose, by place and id: as many of a row as the table has. */
const own = new SvelteMap<string, readonly string[]>();

/** The name of a row among the settings. */
export const rowName = (place: Place, id: string) => `${place}.${id}`;

/** Fields have their own keys, which are heard while text is written. */
const fields: Place[] = ['note', 'composer', 'quick', 'form', 'terminal'];

/** Whether a key of the table can be another: not that of a field, nor one that says on its cap what it does. */
export function changeable(place: Place, key: string): boolean {
  return !fields.includes(place) && !/(?:^|[ >])(?:Esc|Enter|Space|Home|End|[←↑↓→1-9])$/.test(key);
}

/** Takes the keys that the person chose in place of those of the table; what fits no row is left out. */
export function chooseKeys(keys: Readonly<Record<string, readonly string[]>>): void {
  const chosen = (Object.keys(keymap) as Place[]).flatMap((place) =>
    Object.entries<KeyRow>(keymap[place]).flatMap(([id, row]) => {
      const name = rowName(place, id);
      const mine = keys[name];
      const fits =
        mine?.length === row.keys.length &&
        mine.every(
          (key, i) => key === row.keys[i] || (key !== '' && changeable(place, row.keys[i]!)),
        );
      return fits ? [[name, mine] as const] : [];
    }),
  );
  for (const name of own.keys()) if (!chosen.some(([one]) => one === name)) own.delete(name);
  for (const [name, mine] of chosen)
    if (own.get(name)?.join('\n') !== mine.join('\n')) own.set(name, mine);
  heardIn.clear();
  whileTyping = undefined;
}

/** The rows of a place, in the order in which they are listed. */
export function rowsOf(place: Place): [id: string, row: KeyRow][] {
  return Object.entries<KeyRow>(keymap[place]).map(([id, row]) => {
    const keys = own.get(rowName(place, id));
    return [id, keys === undefined ? row : { ...row, keys }];
  });
}

/** The key of a row as its cap is drawn; of several the first. */
export function keyFor<P extends Place>(place: P, id: KeyId<P>, nth = 0): string {
  return (own.get(rowName(place, id)) ?? (keymap[place] as Record<string, KeyRow>)[id]!.keys)[nth]!;
}

const heardIn = new Map<Place, Map<string, { id: string; nth: number }>>();

/** What a key means in a place, if anything. Of two rows with one key that of the person's choice has it. */
export function heard<P extends Place>(
  place: P,
  cap: string,
): { id: KeyId<P>; nth: number } | undefined {
  let known = heardIn.get(place);
  if (!known) {
    const mine = (id: string) => (own.has(rowName(place, id)) ? 1 : 0);
    known = new Map(
      rowsOf(place)
        .sort(([a], [b]) => mine(a) - mine(b))
        .flatMap(([id, row]) => row.keys.map((key, nth) => [key, { id, nth }] as const)),
    );
    heardIn.set(place, known);
  }
  return known.get(cap) as { id: KeyId<P>; nth: number } | undefined;
}

/** Hears the keys of a place: a row that nobody hears does not compile. Returns whether a key did something. */
export function doing<P extends Place>(
  place: P,
  does: Does<P>,
): (cap: string, event: KeyboardEvent) => boolean {
  return (cap, event) => {
    const row = heard(place, cap);
    return row !== undefined && does[row.id](row.nth, event) !== false;
  };
}

let whileTyping: Set<string> | undefined;

/** Whether a key is the page's while text is written. */
export function heardTyping(cap: string): boolean {
  whileTyping ??= new Set(
    (Object.keys(keymap) as Place[]).flatMap((place) =>
      rowsOf(place).flatMap(([, row]) =>
        row.typing ? row.keys.filter((key) => key.startsWith('Mod ')) : [],
      ),
    ),
  );
  return whileTyping.has(cap);
}

/** What the first of two keys is, which are pressed one after the other. */
export const prefix = 'G';
