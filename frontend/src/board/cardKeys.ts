// The keys on a card that has the focus, or on the cards that are selected.
import { modHeld } from '../ui/platform';

/** What the keys do, as their caps are drawn. */
export const cardKeys = {
  select: 'X',
  extendDown: 'Shift J',
  extendUp: 'Shift K',
  column: 'Mod A',
  queue: 'Q',
  labels: 'L',
  priority: 'P',
  archive: 'A',
  rename: 'F2',
  remove: 'Delete',
} as const;

export type CardAction = keyof typeof cardKeys;

const actions = new Map<string, CardAction>(Object.entries(cardKeys).map(([action, keys]) => [keys, action as CardAction]));

/** What a key does to cards, if anything. */
export function actionOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>): CardAction | undefined {
  const mod = modHeld(event as KeyboardEvent);
  if (event.altKey || (!mod && (event.ctrlKey || event.metaKey))) return undefined;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return actions.get([mod && 'Mod', event.shiftKey && 'Shift', key].filter(Boolean).join(' '));
}
