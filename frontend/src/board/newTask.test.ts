import { beforeEach, expect, test } from 'vitest';
import { blank } from '../form/fields';
import { newTask } from './newTask.svelte';

beforeEach(() => (newTask.fields = blank()));

test('a new task begins with the title that was typed elsewhere, and keeps its brief', () => {
  newTask.fields.brief = 'With pictures';
  expect(newTask.begin('Draw a map')).toBe(true);
  expect([newTask.fields.title, newTask.fields.brief]).toEqual(['Draw a map', 'With pictures']);
});

test('a title that was written before is not lost to another', () => {
  newTask.fields.title = 'Half a thought';
  expect(newTask.begin('Draw a map')).toBe(false);
  expect(newTask.fields.title).toBe('Half a thought');
});
