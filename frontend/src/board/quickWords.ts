// Words of the line of a new card that say more than its title: #label, !priority, @project
// and >KEY of the task that it waits for. Only what there is counts; any other word is title.
import type { beckon } from '../bridge';
import { findLabels, withLabel } from '../form/labels';
import { offersFor } from '../form/after';

/** What such words begin with. */
type Mark = '#' | '!' | '@' | '>';

/** The word at the caret that may be one. */
export interface QuickWord {
  mark: Mark;
  /** Where it begins, with its mark. */
  from: number;
  /** What was typed of it, without its mark. */
  typed: string;
}

/** What was said of a card besides its title. */
export interface Said {
  labels: string[];
  /** From 0 to 4. */
  priority: number;
  projectId: string;
  /** The id of the task that it waits for. */
  after: string;
}

/** What words may name. */
export interface Known {
  labels: string[];
  /** By level, as they are called. */
  priorities: string[];
  projects: beckon.Project[];
  tasks: { get(id: string): beckon.Task | undefined; values(): Iterable<beckon.Task> };
}

/** One thing that a word may mean. */
export interface Meaning {
  id: string;
  label: string;
  /** What else tells it apart: a key's title, a project's key. */
  note: string;
  /** What the card is then. */
  said: Said;
}

/** As many meanings are offered at most. */
const most = 8;

export const nothingSaid = (projectId: string): Said => ({
  labels: [],
  priority: 0,
  projectId,
  after: '',
});

/** The word that the caret stands at the end of. */
export function wordAt(text: string, caret: number): QuickWord | undefined {
  const found = /(?:^|\s)([#!@>])(\S*)$/.exec(text.slice(0, caret));
  if (!found) return undefined;
  const [, mark, typed] = found;
  return { mark: mark as Mark, from: caret - typed!.length - 1, typed: typed! };
}

/** What a word may mean, what begins with it first. */
export function meaningsOf({ mark, typed }: QuickWord, said: Said, known: Known): Meaning[] {
  const wish = typed.toLowerCase();
  const begins = (...texts: string[]) =>
    texts.some((text) => text.toLowerCase().startsWith(wish)) ? 0 : 1;
  const has = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(wish));
  switch (mark) {
    case '#':
      return findLabels(typed, known.labels)
        .found.filter((label) => !said.labels.includes(label))
        .slice(0, most)
        .map((label) => ({
          id: label,
          label,
          note: '',
          said: { ...said, labels: withLabel(said.labels, label) },
        }));
    case '!':
      return known.priorities
        .map((label, priority) => ({
          id: String(priority),
          label,
          note: '',
          said: { ...said, priority },
        }))
        .filter(({ id, label }) => id !== '0' && has(label))
        .reverse();
    case '@':
      return known.projects
        .filter(({ name, key }) => has(name, key))
        .sort((a, b) => begins(a.name, a.key) - begins(b.name, b.key))
        .slice(0, most)
        .map(({ id, name, key }) => ({
          id,
          label: name,
          note: key,
          said: { ...said, projectId: id },
        }));
    case '>':
      return offersFor(typed, { id: '', projectId: said.projectId }, known.tasks).map(
        ({ id, key, title }) => ({ id, label: key, note: title, said: { ...said, after: id } }),
      );
  }
}

/** A text without a word, as its meaning is kept elsewhere; its caret is where the word was. */
export function without(text: string, word: QuickWord): { text: string; caret: number } {
  const before = text.slice(0, word.from);
  const after = text.slice(word.from + 1 + word.typed.length).replace(/^\s+/, '');
  return { text: before + after, caret: before.length };
}

/** What something may be called whole: a project by its key too, and "High priority" by "high". */
function namesOf(mark: Mark, label: string, note: string): string[] {
  if (mark === '@') return [label, note];
  return mark === '!' ? [label.split(' ')[0]!] : [label];
}

/** The title of a line, and what its words say that name something whole. */
export function read(line: string, said: Said, known: Known): { title: string; said: Said } {
  const title: string[] = [];
  let now = said;
  for (const one of line.split(/\s+/).filter(Boolean)) {
    const word = wordAt(one, one.length);
    const means =
      word && word.typed !== ''
        ? meaningsOf(word, now, known).find(({ label, note }) =>
            namesOf(word.mark, label, note).some(
              (name) => name.toLowerCase() === word.typed.toLowerCase(),
            ),
          )
        : undefined;
    if (means) now = means.said;
    else title.push(one);
  }
  return { title: title.join(' '), said: now };
}
