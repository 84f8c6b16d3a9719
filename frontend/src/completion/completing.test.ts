// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Completing } from './completing.svelte';

/** Files that come when the test says so, with what was asked for each time. */
function slow() {
  const asked: { typed: string; come: (files: string[]) => void }[] = [];
  const files = (typed: string) => new Promise<string[]>((come) => asked.push({ typed, come }));
  const completing = new Completing({
    files,
    commands: async () => [{ name: 'compact', description: '', hint: '' }],
  });
  return { asked, completing };
}

function field(text: string): HTMLTextAreaElement {
  const area = document.createElement('textarea');
  area.value = text;
  return area;
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
  expect(completing.press('Esc', field(''))).toBe(true);
  completing.look('/co', 3);
  await settle();
  expect(completing.open).toBe(false);
  completing.look('', 0);
  completing.look('/', 1);
  await settle();
  expect(completing.open).toBe(true);
});

test('while completions are shown Enter and Tab put one in, arrows choose, and all else is the field’s', async () => {
  const { asked, completing } = slow();
  const area = field('See @a');
  completing.lookAt(area);
  expect(completing.press('Enter', area)).toBe(false);
  asked[0]!.come(['a.md', 'b/a.md']);
  await settle();
  for (const cap of ['Alt Enter', 'Shift Enter', 'Mod Enter', 'X'])
    expect(completing.press(cap, area)).toBe(false);
  expect(completing.press('↓', area)).toBe(true);
  expect(completing.press('↓', area)).toBe(true);
  expect(completing.press('↑', area)).toBe(true);
  let heard = '';
  area.addEventListener('input', () => (heard = area.value));
  expect(completing.press('Tab', area)).toBe(true);
  expect(heard).toBe('See @b/a.md ');
  expect(completing.open).toBe(false);
  expect(completing.press('Tab', area)).toBe(false);
});

test('where there is no agent to command nothing is offered for a command', async () => {
  const completing = new Completing({ files: () => Promise.resolve(['c.md']) });
  completing.look('/c', 2);
  await settle();
  expect(completing.open).toBe(false);
});
