// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { Completing } from './completing.svelte';

vi.mock('../bridge', () => ({ api: {} }));

/** Files that come when the test says so, with what was asked for each time. */
function slow() {
  const asked: { typed: string; come: (files: string[]) => void }[] = [];
  const files = (_: string, typed: string) => new Promise<string[]>((come) => asked.push({ typed, come }));
  const completing = new Completing(() => 'task', { files, commands: async () => [{ name: 'compact', description: '', hint: '' }] });
  return { asked, completing };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('files for what was typed before never stand under what is typed by then', async () => {
  const { asked, completing } = slow();
  completing.look('@a', 2);
  completing.look('@ab', 3);
  completing.look('@abc', 4);
  expect(asked.map((one) => one.typed)).toEqual(['a']);
  asked[0]!.come(['stale.md']);
  await settle();
  expect(completing.open).toBe(false);
  expect(asked.map((one) => one.typed)).toEqual(['a', 'abc']);
  asked[1]!.come(['abc.md']);
  await settle();
  expect(completing.options.map((one) => one.label)).toEqual(['abc.md']);
});

test('files that come when the word was left open no list', async () => {
  const { asked, completing } = slow();
  completing.look('@a', 2);
  completing.look('@a ', 3);
  asked[0]!.come(['a.md']);
  await settle();
  expect(completing.open).toBe(false);
});

test('a list that was closed by hand stays closed for its word, and opens for the next', async () => {
  const { completing } = slow();
  completing.look('/c', 2);
  await settle();
  expect(completing.open).toBe(true);
  completing.shut();
  completing.look('/co', 3);
  await settle();
  expect(completing.open).toBe(false);
  completing.look('', 0);
  completing.look('/', 1);
  await settle();
  expect(completing.open).toBe(true);
});
