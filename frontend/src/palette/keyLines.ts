// Keys of the screen that no button or menu stands for: each is a line that presses it.

import { placesOf } from '../keys/screen';
import { t } from '../i18n/index.svelte';
import { offerKey, rowsOf, theRouter, type Command, type KeyId, type KeyPlace } from '../state';
import { toasts } from '../ui/toasts.svelte';

const own = 'a button or a menu has it, and so a line of its own';
const text = 'it is about the text that is being written';
const arrows = 'it moves the focus, for which the palette would have to be opened each time';

type Reasons = { [P in KeyPlace]?: string | { [Id in KeyId<P>]?: string } };

/** Why a key has no such line; of a whole place, or of single rows. */
export const withoutLine: Reasons = {
  everywhere: own,
  composer: text,
  quick: text,
  form: text,
  terminal: 'while a terminal has the keys, the palette cannot be opened',
  imports: 'its sheet covers the palette',
  question: { choose: 'an answer is chosen where its options are read' },
  card: {
    labels: own,
    priority: own,
    model: own,
    waits: own,
    queue: own,
    resume: own,
    archive: own,
    edit: own,
    rename: own,
    write: own,
    openIn: own,
    stop: own,
    beside: arrows,
  },
  board: { filter: own, display: own, import: own },
  mission: {
    layout: own,
    move: own,
    pane: 'a task leads to its pane',
    beside: arrows,
    answerNext: own,
  },
  pane: { write: own, whole: own, pin: own, open: own, resume: own, stop: own },
  outside: { whole: own, pin: own },
  archive: { restore: own },
  decisions: { assumed: own, export: own },
  numbers: { measure: own, export: own },
  task: { write: own, edit: own, openIn: own, terminal: own, resume: own, stop: own },
  diff: { merge: own, update: own },
};

export function reasonOf(place: KeyPlace, id: string): string | undefined {
  const reasons: string | Record<string, string | undefined> | undefined = withoutLine[place];
  return typeof reasons === 'string' ? reasons : reasons?.[id];
}

/** As many keys of a row are lines: others do the same once more. */
const most = 2;

/** A line for each key of the screen that has no other; `asks` is whether what has the focus is a question. */
export function keyLines(asks: boolean): Command[] {
  return placesOf(theRouter().route, asks).flatMap((place) =>
    rowsOf(place).flatMap(([id, row]) =>
      reasonOf(place, id) === undefined
        ? row.keys
            .slice(0, most)
            .map((keys) => ({ label: t(row.does), keys, run: () => press(keys) }))
        : [],
    ),
  );
}

function press(cap: string): void {
  const event = new KeyboardEvent('keydown', { cancelable: true });
  if (!offerKey(cap, event, document.activeElement)) toasts.show(t('palette.nothing'));
}
