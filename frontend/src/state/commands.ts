import type { Component } from 'svelte';
import { theRouter } from './router.svelte';
import { store } from './store.svelte';

/** Something that a press does: a line of a menu, and of the palette. */
export interface Command {
  label: string;
  run: () => void;
  danger?: boolean;
  /** Its key, as its cap is drawn. */
  keys?: string;
  icon?: Component<{ class?: string }>;
}

/** What a part of the page does, while it is shown. */
export interface Offered {
  /** What the commands are about. */
  title: string;
  commands: Command[];
  /** What holds controls, of which each is a command too. */
  controls?: HTMLElement;
}

const offers: (() => Offered | undefined)[] = [];

/** Has the palette list what the buttons and menus of a part of the page do, until the returned function is called. */
export function offerCommands(offer: () => Offered | undefined): () => void {
  offers.push(offer);
  return () => {
    const i = offers.indexOf(offer);
    if (i >= 0) offers.splice(i, 1);
  };
}

/** Has the palette list the controls inside an element, as long as it is there and `when` holds. */
export function offerControls(
  title: () => string,
  when: () => boolean = () => true,
): (controls: HTMLElement) => () => void {
  return (controls) =>
    offerCommands(() => (when() ? { title: title(), commands: [], controls } : undefined));
}

/** What the parts of the page that are shown do now. */
export function offered(): Offered[] {
  return offers.flatMap((offer) => offer() ?? []);
}

/** The id of the task that keys are about: of the card, pane or row with the focus, else of the page. */
export function taskInFocus(): string {
  const holder = document.activeElement?.closest<HTMLElement>('[data-task], [data-row]');
  const id = holder?.dataset.task ?? holder?.dataset.row ?? '';
  if (store.tasks.get(id)) return id;
  const { route } = theRouter();
  if (route.page === 'task') return store.taskByKey(route.key)?.id ?? '';
  if (route.page !== 'inbox') return '';
  return (
    (route.question === '' ? store.urgent[0] : store.questions.get(route.question))?.taskId ?? ''
  );
}
