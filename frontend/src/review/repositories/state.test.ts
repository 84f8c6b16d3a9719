import { expect, test } from 'vitest';
import '../../i18n/screens';
import type { ReadPart } from './read';
import { nothingIn, planStanding, standingOf, whyOf } from './state';

const part = (more: Partial<ReadPart> = {}) =>
  ({ name: 'dash', state: 'clean', behind: 0, failed: '', absent: '', ...more }) as ReadPart;

test('only what can be merged is left out', () => {
  expect(standingOf(part(), true).text).toBe('left out');
  expect(standingOf(part({ state: 'merged' }), true).text).toBe('merged');
  expect(standingOf(part({ state: 'unchanged' }), true).text).toBe('unchanged');
});

test('a repository that lacks the turn says so in the tree, and merges in the plan as it did', () => {
  const lacks = part({ absent: 'Turn 2 was not recorded.' });
  expect(standingOf(lacks, false)).toMatchObject({ text: 'not known here', why: lacks.absent });
  expect(planStanding(lacks, false)).toMatchObject({ text: 'Merges cleanly', why: '' });
  expect(planStanding(part({ failed: 'broken' }), false).text).toBe('couldn’t be read');
});

test('a reason hides nothing', () => {
  expect(whyOf(part({ failed: 'no\u202e good\u001b[31m\n!' }))).toBe('no⟨U+202E⟩ good !');
});

test('where nothing is to be merged the page tells if that is known', () => {
  const idle = part({ state: 'unchanged' });
  expect(nothingIn([idle, idle])).toBe('No changes yet in 2 repositories');
  expect(nothingIn([idle, part({ state: 'merged' })])).toBe('All changes are merged');
  expect(nothingIn([part({ state: 'merged' }), part({ state: 'unchanged', failed: 'x' })])).toBe(
    'Couldn’t read all of 2 repositories',
  );
});
