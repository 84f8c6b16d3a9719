// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { keepKeys } from './early';

let behind: string[] = [];
let field: HTMLInputElement;

beforeEach(() => {
  document.body.innerHTML = '<input>';
  field = document.querySelector('input')!;
  behind = [];
  document.body.onkeydown = (event) => void behind.push(event.key);
});

function press(...keys: (string | KeyboardEventInit)[]): void {
  for (const key of keys)
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', {
        ...(typeof key === 'string' ? { key } : key),
        bubbles: true,
        cancelable: true,
      }),
    );
}

async function shown(): Promise<void> {
  field.focus();
  await new Promise((resolve) => setTimeout(resolve));
}

test('what is typed before the field is there is typed into it, and nowhere else', async () => {
  keepKeys(() => {});
  press('m', 'ü', 'Shift', 'x', 'Backspace', ' ', '!');
  await shown();
  expect([field.value, behind]).toEqual(['mü !', ['Shift']]);
  press('y');
  expect(behind).toEqual(['Shift', 'y']);
});

test('Enter is pressed where it was pressed, and what follows is not typed into a field that is gone', async () => {
  const heard: string[] = [];
  field.addEventListener('keydown', () => {
    heard.push(field.value);
    field.remove();
  });
  keepKeys(() => {});
  press('g', 'o', 'Enter', 'x');
  await shown();
  expect([heard, field.value]).toEqual([['go'], 'go']);
});

test('Esc gives up, keys that are held go to the page, and nothing comes later', async () => {
  const gaveUp = vi.fn();
  keepKeys(gaveUp);
  press('a', { key: 'k', ctrlKey: true }, 'Escape', 'b');
  await shown();
  expect([gaveUp.mock.calls.length, behind, field.value]).toEqual([1, ['k', 'b'], '']);
});

test('what a field had and was marked is replaced, as typing does', async () => {
  field.value = 'old words';
  field.addEventListener('focus', () => field.select());
  keepKeys(() => {});
  press('n');
  await shown();
  expect(field.value).toBe('n');
});

test('a menu has what was pressed before it was there, and what is pressed from then on', async () => {
  document.body.innerHTML = '<div><button role="menuitem">Copy path</button></div>';
  const item = document.querySelector('button')!;
  const clicked = vi.fn();
  item.addEventListener('click', clicked);
  keepKeys(() => {});
  press('1', 'Enter');
  expect(behind).toEqual([]);
  item.focus();
  await new Promise((resolve) => setTimeout(resolve));
  expect([behind, clicked.mock.calls.length]).toEqual([['1'], 1]);
  press('Enter');
  expect(behind).toEqual(['1', 'Enter']);
});

test('a dialog without a field has what is pressed from then on, and nothing from before', async () => {
  document.body.innerHTML = '<dialog open><button>Close</button><input></dialog>';
  const [button, late] = [document.querySelector('button')!, document.querySelector('input')!];
  keepKeys(() => {});
  press('a');
  button.focus();
  late.focus(); // in the same turn: it had a field
  await new Promise((resolve) => setTimeout(resolve));
  expect([late.value, behind]).toEqual(['a', []]);
  late.blur();
  keepKeys(() => {});
  press('Enter');
  button.focus();
  await new Promise((resolve) => setTimeout(resolve));
  expect(behind).toEqual([]);
  press('Enter');
  expect(behind).toEqual(['Enter']);
});
