import { expect, test } from 'vitest';
import { sentence } from './attempt';

test('what a program compares errors by is not part of what a person reads', () => {
  expect(sentence('the branch is checked out elsewhere: conflict')).toEqual({ text: 'The branch is checked out elsewhere', code: 'conflict' });
  expect(sentence('read go.mod: file not found')).toEqual({ text: 'Read go.mod: file not found', code: '' });
  expect(sentence('invalid')).toEqual({ text: 'Invalid', code: '' });
});
