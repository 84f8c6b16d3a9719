import { expect, test } from 'vitest';
import { offersOf, withLabel } from './labels';

const words = (typed: string, labels: string[] = []) =>
  offersOf(typed, labels, ['parser', 'good first', 'perf', 'parser']).map(({ label, fresh }) =>
    fresh ? `+${label}` : label,
  );

test('labels that begin with what was typed come first, then what was typed itself', () => {
  expect(words('per')).toEqual(['perf', '+per']);
  expect(words('r')).toEqual(['good first', 'parser', 'perf', '+r']);
});

test('a label that the task has is offered no more, nor made a second time', () => {
  expect(words('', ['perf'])).toEqual(['good first', 'parser']);
  expect(words('Perf', ['perf'])).toEqual([]);
  expect(withLabel(['perf'], ' perf ')).toEqual(['perf']);
  expect(withLabel(['perf'], ' good first ')).toEqual(['perf', 'good first']);
  expect(withLabel(['perf'], ' ')).toEqual(['perf']);
});
