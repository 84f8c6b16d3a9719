// Going from card to card with keys. The order is what is drawn, so it is read
// off the page.

const cards = '.card[data-task]';

/** The cards that are drawn in a column, or on the whole board. */
function cardsIn(place: Element | null | undefined): HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(cards) ?? [])];
}

/** The cards in the column of one, itself among them. */
function besides(card: HTMLElement): HTMLElement[] {
  return cardsIn(card.closest('.lane'));
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
export function neighbour(board: HTMLElement, from: Element | null, way: 'up' | 'down' | 'left' | 'right'): HTMLElement | null {
  const card = from?.closest<HTMLElement>(cards);
  const lane = card?.closest('.lane');
  if (!card || !lane || !board.contains(card)) return firstCard(board);
  const column = cardsIn(lane);
  if (way === 'up') return column[column.indexOf(card) - 1] ?? null;
  if (way === 'down') return column[column.indexOf(card) + 1] ?? null;
  return across(board, lane, card, way === 'left' ? -1 : 1);
}

/** In J's order the cards that need the person come first. */
function firstCard(board: HTMLElement): HTMLElement | null {
  return board.querySelector<HTMLElement>('.card.needs') ?? board.querySelector<HTMLElement>(cards);
}

/** The card at about the same height in the next column that has any. */
function across(board: HTMLElement, lane: Element, card: HTMLElement, by: -1 | 1): HTMLElement | null {
  const lanes = [...board.querySelectorAll('.lane')];
  const top = card.getBoundingClientRect().top;
  for (let i = lanes.indexOf(lane) + by; i >= 0 && i < lanes.length; i += by) {
    const column = cardsIn(lanes[i]);
    const distance = (one: HTMLElement) => Math.abs(one.getBoundingClientRect().top - top);
    if (column.length > 0) return column.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  }
  return null;
}

/** The ids of all cards that are drawn in a card's column. */
export function columnOf(card: HTMLElement): string[] {
  return besides(card).map((one) => one.dataset.task!);
}

/** The card that gets the focus once some are gone: the next one in the column that stays, or the one before. */
export function afterCards(board: HTMLElement, from: Element | null, gone: string[]): HTMLElement | null {
  const start = from?.closest<HTMLElement>(cards) ?? cardById(board, gone[0] ?? '');
  if (!start) return null;
  const column = besides(start);
  const at = column.indexOf(start);
  const stays = (one: HTMLElement) => !gone.includes(one.dataset.task!);
  return column.slice(at).find(stays) ?? column.slice(0, at).findLast(stays) ?? cardsIn(board).find(stays) ?? null;
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
