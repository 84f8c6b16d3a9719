// Going from card to card with keys. The order is what is drawn, so it is read
// off the page.

import type { beckon } from '../bridge';
import type { Lanes } from '../state';

const cards = '.card[data-task]';

/** The cards that are drawn in a column, or on the whole board. */
function cardsIn(place: Element | null | undefined): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(cards) ?? [])];
}

/** The card of a task, if it is drawn. */
export function cardById(board: HTMLElement, taskId: string): HTMLElement | null {
  return board.querySelector(`.card[data-task="${CSS.escape(taskId)}"]`);
}

/** Gives a card the focus; returns whether there was one. */
export function focusCard(card: HTMLElement | null | undefined): boolean {
  if (!card) return false;
  card.focus();
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return true;
}

/** The card beside the one that holds the focus, or the first of the board. */
export function neighbour(
  board: HTMLElement,
  from: Element | null,
  way: 'up' | 'down' | 'left' | 'right',
): HTMLElement | null {
  const card = from?.closest<HTMLElement>(cards);
  const lane = card?.closest('.lane');
  if (!card || !lane || !board.contains(card)) return firstCard(board);
  const column = cardsIn(lane);
  if (way === 'up') return column[column.indexOf(card) - 1] ?? null;
  if (way === 'down') return column[column.indexOf(card) + 1] ?? null;
  return across(board, lane, card, way === 'left' ? -1 : 1);
}

/** In J's order: the card below, or at a column's end the next of the board that needs the person. */
export function onward(board: HTMLElement, from: Element | null): HTMLElement | null {
  const below = neighbour(board, from, 'down');
  const card = from?.closest<HTMLElement>(cards);
  if (below || !card) return below;
  const all = cardsIn(board);
  const at = all.indexOf(card);
  return [...all.slice(at + 1), ...all.slice(0, at)].find((one) => one.matches('.needs')) ?? null;
}

/** In J's order the cards that need the person come first. */
function firstCard(board: HTMLElement): HTMLElement | null {
  return board.querySelector<HTMLElement>('.card.needs') ?? board.querySelector<HTMLElement>(cards);
}

/** The card at about the same height in the next column that has any. */
function across(
  board: HTMLElement,
  lane: Element,
  card: HTMLElement,
  by: -1 | 1,
): HTMLElement | null {
  const lanes = [...board.querySelectorAll('.lane')];
  const top = card.getBoundingClientRect().top;
  for (let i = lanes.indexOf(lane) + by; i >= 0 && i < lanes.length; i += by) {
    const column = cardsIn(lanes[i]);
    const distance = (one: HTMLElement) => Math.abs(one.getBoundingClientRect().top - top);
    if (column.length > 0) return column.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  }
  return null;
}

/** The id of the card that gets the focus once some are gone: the next one in its column that stays, or the one before, or the first elsewhere. */
export function afterCards(
  lanes: Lanes,
  from: string | undefined,
  gone: string[],
): string | undefined {
  const goes = new Set(gone);
  const stays = (task: beckon.Task) => !goes.has(task.id);
  const start = from ?? gone[0];
  const column = Object.values(lanes).find((lane) => lane.some((task) => task.id === start)) ?? [];
  const at = column.findIndex((task) => task.id === start);
  return (
    column.slice(at).find(stays) ??
    column.slice(0, at).findLast(stays) ??
    Object.values(lanes).flat().find(stays)
  )?.id;
}

/** The id of the card that needs the person next, where one no longer does: the next of those that did, or the first. */
export function nextInNeed(
  before: string[],
  answered: string,
  needs: (id: string) => boolean,
): string | undefined {
  const at = before.indexOf(answered);
  return [...before.slice(at + 1), ...before.slice(0, Math.max(0, at))].find(needs);
}

/** Opens the row in Backlog that takes a card's title; returns whether there is one. */
export function openQuickAdd(board: HTMLElement): boolean {
  const row = board.querySelector<HTMLElement>('.quick');
  const field = row?.querySelector('input');
  if (field) field.focus();
  else {
    row?.focus(); // a field takes the focus of what it replaces, and of nothing else
    row?.click();
  }
  return row !== null;
}
