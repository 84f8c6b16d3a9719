// What the controls of a part of the page do, read from how they are named and
// where they are: what is said of a control to who does not see it says it in the palette too.

import { t } from '../i18n/index.svelte';
import type { Command } from '../state';
import { chooserOf, type Chooser } from '../ui/choosing';

/** Of a longer list the palette leads to the control, and does not name each choice. */
const mostChoices = 12;

/** A command for each thing that can be pressed, chosen or gone to inside an element. */
export function controlsIn(root: HTMLElement): Command[] {
  const all = [...root.querySelectorAll<HTMLElement>('button, a[href], input, textarea, summary')];
  return all
    .filter((one) => !one.matches(':disabled') && one.getClientRects().length > 0)
    .flatMap((one) => commandsOf(one, root));
}

function commandsOf(control: HTMLElement, root: HTMLElement): Command[] {
  const name = nameOf(control);
  if (name === '') return [];
  const label = [...groupsOf(control, root), name].join(': ');
  const role = control.getAttribute('role');
  const on = isOn(control);
  if (role === 'radio') return on ? [] : [{ label, run: () => control.click() }];
  // By the time it is chosen it may be what it is to become.
  if (on !== undefined)
    return [
      {
        label: t(on ? 'palette.turnOff' : 'palette.turnOn', { name: label }),
        run: () => isOn(control) === on && control.click(),
      },
    ];
  const chooser = chooserOf(control);
  if (chooser) return choicesOf(control, chooser, label);
  if (control.matches('input, textarea')) return [goTo(control, label)];
  return [{ label, run: () => control.click() }];
}

/** Whether a control is on; undefined of one that is neither on nor off. */
function isOn(control: HTMLElement): boolean | undefined {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked;
  const state = control.getAttribute('aria-checked') ?? control.getAttribute('aria-pressed');
  return state === null ? undefined : state === 'true';
}

function choicesOf(control: HTMLElement, chooser: Chooser, label: string): Command[] {
  const choices = chooser.choices();
  if (choices.length > mostChoices) return [goTo(control, label)];
  return choices
    .filter((one) => one.value !== chooser.value() && !one.off)
    .map((one) => ({ label: `${label}: ${one.label}`, run: () => chooser.choose(one.value) }));
}

function goTo(control: HTMLElement, label: string): Command {
  return { label: t('palette.goTo', { name: label }), run: () => control.focus() };
}

/** The names of the groups that a control is one of, without which its own may say too little. */
function groupsOf(control: HTMLElement, root: HTMLElement): string[] {
  const names: string[] = [];
  for (
    let around = control.parentElement;
    around !== null && around !== root;
    around = around.parentElement
  ) {
    if (around.matches('[role="group"], [role="radiogroup"]')) names.unshift(nameOf(around));
  }
  return names.filter((name) => name !== '');
}

/** What a control is called, as assistive technology says it; without its key. */
function nameOf(element: HTMLElement): string {
  const said = element.getAttribute('aria-label');
  if (said) return spaced(said);
  const by = element.getAttribute('aria-labelledby');
  if (by)
    return spaced(
      by
        .split(' ')
        .map((id) => textOf(document.getElementById(id)))
        .join(' '),
    );
  if (
    element instanceof HTMLInputElement ||
    chooserOf(element) !== undefined ||
    element instanceof HTMLTextAreaElement
  )
    return spaced([...((element as HTMLInputElement).labels ?? [])].map(textOf).join(' '));
  // A group has the words of all that is in it.
  return element.matches('[role="group"], [role="radiogroup"]') ? '' : spaced(textOf(element));
}

function textOf(element: Element | null): string {
  if (element === null) return '';
  const copy = element.cloneNode(true) as Element;
  copy
    .querySelectorAll('[aria-hidden="true"], kbd, [role="combobox"], .count, .badge')
    .forEach((part) => part.remove());
  return copy.textContent ?? '';
}

/** A text as it is drawn, where the markup has lines and indents. */
function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
