import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { saidTo, Recall } from './history';

const said = (text: string, parent = '') => ({ kind: 'user', text, parent }) as beckon.Entry;

test('what was said and queued comes back, the newest first; what an agent told its helpers does not', () => {
  const entries = [
    said('one'),
    said('to a sub-agent', 'toolu_1'),
    { kind: 'text', text: 'reply', parent: '' } as beckon.Entry,
    said('two'),
    said('two'),
  ];
  expect(saidTo(entries, [{ text: 'three' } as beckon.Message])).toEqual(['three', 'two', 'one']);
});

test('Up goes back to the first and stays, Down returns to an empty field', () => {
  const walk = new Recall();
  const list = ['new', 'old'];
  expect(walk.on('')).toBe(false);
  expect(walk.older(list)).toBe('new');
  expect(walk.older(list)).toBe('old');
  expect(walk.older(list)).toBeUndefined();
  expect(walk.on('old')).toBe(true);
  expect(walk.newer(list)).toBe('new');
  expect(walk.newer(list)).toBe('');
  expect(walk.on('')).toBe(false);
});

test('an edited text is no walk any more, so that Up moves the caret in it', () => {
  const walk = new Recall();
  walk.older(['said']);
  expect(walk.on('said, and more')).toBe(false);
});
