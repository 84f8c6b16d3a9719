// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import '../i18n/screens';
import { offersChoices } from '../ui/choosing';
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

/** Makes a button of what is shown a select of these. */
function select(button: Element, labels: string[], chosen: string[] = []) {
  let value = labels[0]!;
  offersChoices({
    choices: () => labels.map((label) => ({ value: label, label })),
    value: () => value,
    choose: (to) => chosen.push((value = to)),
  })(button);
}

test('a choice is a line for each thing that is not chosen, and makes it', () => {
  const root = shown(
    '<label for="m">Model</label><button id="m" role="combobox">Opus</button><div role="radiogroup" aria-label="Theme"><button role="radio" aria-checked="true">Light</button><button role="radio" aria-checked="false">Dark</button></div>',
  );
  const chosen: string[] = [];
  select(document.getElementById('m')!, ['Opus', 'Haiku'], chosen);
  const lines = controlsIn(root);
  expect(lines.map((one) => one.label)).toEqual(['Model: Haiku', 'Theme: Dark']);
  lines[0]!.run();
  expect(chosen).toEqual(['Haiku']);
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
  const root = shown(
    '<label for="n">Name</label><input id="n"><button id="q" role="combobox" aria-label="Quiet from">0</button>',
  );
  select(
    document.getElementById('q')!,
    Array.from({ length: 48 }, (_, i) => String(i)),
  );
  const lines = controlsIn(root);
  expect(lines.map((one) => one.label)).toEqual(['Go to: Name', 'Go to: Quiet from']);
  lines[0]!.run();
  expect(document.activeElement?.id).toBe('n');
});
