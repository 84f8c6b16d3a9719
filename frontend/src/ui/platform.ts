/** Whether Mod is the command key. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether Mod is held in an event: the command key there, Ctrl elsewhere. */
export function modHeld(event: KeyboardEvent | MouseEvent): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}

/** `aria-keyshortcuts` for "Mod J"; empty for keys that are pressed one after the other, which it has no word for. */
export function shortcut(keys: string): string {
  if (/.>/.test(keys)) return '';
  return keys
    .replace('Mod', isMac ? 'Meta' : 'Control')
    .split(' ')
    .join('+');
}
