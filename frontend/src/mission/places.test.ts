import { expect, test } from 'vitest';
import {
  arrange,
  beside,
  bring,
  moved,
  stillRemoved,
  type Agent,
  type Agents,
  type Panes,
  type Stage,
} from './places';

/** Agents by a letter each: "a:works@5", whose number is since when. */
function agents(...words: string[]): Agents {
  const list = words.map((word): Agent => {
    const [, taskId, stage, since] = /^(\w+):(\w+)(?:@(\d+))?$/.exec(word)!;
    return { taskId: taskId!, stage: stage as Stage, since: Number(since ?? 0) };
  });
  return new Map(list.map((one) => [one.taskId, one]));
}

/** Panes by a letter each; "a!" is pinned. */
const panes = (words: string): Panes =>
  words
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ taskId: word.replace('!', ''), pinned: word.endsWith('!') }));
const shape = (list: Panes) => list.map((pane) => pane.taskId + (pane.pinned ? '!' : '')).join(' ');

const table: {
  name: string;
  saved?: string;
  layout?: number;
  agents: string[];
  held?: string;
  removed?: string[];
  want: string;
}[] = [
  {
    name: 'live agents fill an empty Mission Control, those that wait first',
    agents: ['a:works@1', 'b:waits@9', 'c:waits@3', 'd:idle@2'],
    want: 'c b a d',
  },
  {
    name: 'what was saved keeps its order',
    saved: 'd a',
    agents: ['a:works@1', 'b:waits@9', 'd:works@2'],
    want: 'd a b',
  },
  {
    name: 'a finished pane stays while there is room',
    saved: 'a b',
    agents: ['a:ended@5', 'b:works'],
    want: 'a b',
  },
  {
    name: 'an agent that works takes the place of what finished first',
    saved: 'a b c d',
    agents: ['a:ended@8', 'b:ended@5', 'c:works', 'd:works', 'e:works'],
    want: 'a e c d b',
  },
  {
    name: 'a pinned pane is never replaced',
    saved: 'a! b!',
    layout: 1,
    agents: ['a:ended', 'b:ended', 'c:waits'],
    want: 'a! b! c',
  },
  {
    name: 'what needs the person takes the place of a finished pane before that of an idle chat',
    saved: 'a b',
    layout: 1,
    agents: ['a:ended', 'b:waits'],
    want: 'b a',
  },
  {
    name: 'what needs the person takes the place of an idle chat',
    saved: 'a b',
    layout: 1,
    agents: ['a:idle', 'b:waits'],
    want: 'b a',
  },
  {
    name: 'an agent that works does not take the place of an idle chat',
    saved: 'a b',
    layout: 1,
    agents: ['a:idle', 'b:works'],
    want: 'a b',
  },
  {
    name: 'nobody at work is replaced',
    saved: 'a b',
    layout: 1,
    agents: ['a:works', 'b:waits'],
    want: 'a b',
  },
  {
    name: 'the pane with the focus is not replaced',
    saved: 'a b',
    layout: 1,
    agents: ['a:ended', 'b:waits'],
    held: 'a',
    want: 'a b',
  },
  {
    name: 'of two that wait, the one that waits longer comes into view',
    saved: 'a b c',
    layout: 1,
    agents: ['a:ended', 'b:waits@9', 'c:waits@4'],
    want: 'c b a',
  },
  {
    name: 'a task that is gone or put away loses its pane',
    saved: 'gone a b!',
    agents: ['a:over', 'b:over'],
    want: 'b!',
  },
  {
    name: 'a task that is saved twice is shown once',
    saved: 'a a',
    agents: ['a:works'],
    want: 'a',
  },
  {
    name: 'a pane that was removed comes back with a question only',
    agents: ['a:works', 'b:waits'],
    removed: ['a', 'b'],
    want: 'b',
  },
  {
    name: 'what finished out of view does not pile up',
    saved: 'a b c d e f g h i j k!',
    agents: [...'abcdefghijk'].map((id) => `${id}:ended`),
    want: 'a b c d e f g h i k!',
  },
];

for (const one of table) {
  test(one.name, () => {
    const first = arrange(
      panes(one.saved ?? ''),
      one.layout ?? 4,
      agents(...one.agents),
      one.held,
      one.removed,
    );
    expect(shape(first)).toBe(one.want);
    expect(
      shape(arrange(first, one.layout ?? 4, agents(...one.agents), one.held, one.removed)),
      'two windows agree',
    ).toBe(one.want);
  });
}

test('a removed pane is forgotten once it has a place again, or its task is over', () => {
  const all = agents('a:works', 'b:ended', 'c:over', 'd:idle');
  expect(stillRemoved(['a', 'b', 'c', 'd', 'gone'], panes('d'), all)).toEqual(['a', 'b']);
});

test('a task that is asked for comes into view, in the place of what is needed least', () => {
  const all = agents('a:waits', 'b:works', 'c:ended', 'd:works', 'e:idle', 'f:works');
  expect(shape(bring(panes('a b c d'), 4, all, 'b'))).toBe('a b c d');
  expect(shape(bring(panes('a b c d f'), 4, all, 'f'))).toBe('a b f d c');
  expect(shape(bring(panes('a b! c! d'), 4, all, 'f', 'd'))).toBe('f b! c! d a');
  expect(shape(bring(panes('a! b! c! d!'), 4, all, 'f'))).toBe('a! b! c! d! f');
});

test('a pane that moves pushes the others on', () => {
  expect(shape(moved(panes('a b c d'), 'd', 1))).toBe('a d b c');
  expect(shape(moved(panes('a b c d'), 'a', 3))).toBe('b c d a');
  expect(shape(moved(panes('a b'), 'x', 0))).toBe('a b');
});

test('arrows go through the grid and stop at its edges', () => {
  expect(beside(0, 'ArrowRight', 6, 6)).toBe(1);
  expect(beside(2, 'ArrowRight', 6, 6)).toBe(2);
  expect(beside(1, 'ArrowDown', 6, 6)).toBe(4);
  expect(beside(1, 'ArrowDown', 6, 4)).toBe(1);
  expect(beside(4, 'ArrowUp', 9, 9)).toBe(1);
  expect(beside(3, 'ArrowLeft', 9, 9)).toBe(3);
});
