// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import '../i18n/screens';
import { controlsIn } from './controls';

// jsdom lays nothing out: what is hidden says so by its attribute.
beforeAll(() => {
  HTMLElement.prototype.getClientRects = function (this: HTMLElement) {
    return (this.closest('[hidden]') === null ? [{}] : []) as unknown as DOMRectList;
  };
});

function shown(html: string): HTMLElement {
  document.body.innerHTML = `<div id="root">${html}</div>`;
  return document.getElementById('root')!;
}
const labels = (html: string) => controlsIn(shown(html)).map((one) => one.label);

test('each control is called as it is to who does not see it, without its key', () => {
  expect(
    labels(
      '<button>Copy all <kbd>C</kbd></button><button aria-label="Remove Opus"><svg></svg></button><button disabled>Off</button><button hidden>Gone</button>',
    ),
  ).toEqual(['Copy all', 'Remove Opus']);
});

test('a choice is a line for each thing that is not chosen', () => {
  expect(
    labels(
      '<label>Model <span aria-hidden="true">Opus</span><select><option>Opus</option><option>Haiku</option></select></label>',
    ),
  ).toEqual(['Model: Haiku']);
  expect(
    labels(
      '<div role="radiogroup" aria-label="Theme"><button role="radio" aria-checked="true">Light</button><button role="radio" aria-checked="false">Dark</button></div>',
    ),
  ).toEqual(['Theme: Dark']);
});

test('a choice that is made reaches what listens for it', () => {
  const root = shown(
    '<label>Model<select><option value="a">Opus</option><option value="b">Haiku</option></select></label>',
  );
  const heard: string[] = [];
  root.addEventListener('change', (event) => heard.push((event.target as HTMLSelectElement).value));
  controlsIn(root)[0]!.run();
  expect(heard).toEqual(['b']);
});

test('a switch says what pressing it does, and is left as it is where it has become that meanwhile', () => {
  const root = shown('<button role="switch" aria-checked="false" aria-label="Sounds"></button>');
  const button = root.querySelector('button')!;
  let pressed = 0;
  button.onclick = () => pressed++;
  const [line] = controlsIn(root);
  expect(line!.label).toBe('Sounds: turn on');
  line!.run();
  button.setAttribute('aria-checked', 'true');
  line!.run();
  expect(pressed).toBe(1);
  expect(controlsIn(root)[0]!.label).toBe('Sounds: turn off');
});

test('a field and a long list are gone to', () => {
  const hours = Array.from({ length: 48 }, (_, i) => `<option>${i}</option>`).join('');
  const lines = controlsIn(
    shown(
      `<label for="n">Name</label><input id="n"><select aria-label="Quiet from">${hours}</select>`,
    ),
  );
  expect(lines.map((one) => one.label)).toEqual(['Go to: Name', 'Go to: Quiet from']);
  lines[0]!.run();
  expect(document.activeElement?.id).toBe('n');
});
