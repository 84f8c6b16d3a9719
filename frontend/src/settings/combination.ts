/**
 * The combination that is pressed, as "Ctrl+Alt+J"; undefined while it is none
 * that Beckon may take from all programs: a letter or a digit, held with Ctrl,
 * Alt or Super.
 */
export function combination(
  event: Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>,
): string | undefined {
  // The code, since Alt and Shift change the character.
  const key = /^(?:Key|Digit)([A-Z0-9])$/.exec(event.code)?.[1];
  if (key === undefined || !(event.ctrlKey || event.altKey || event.metaKey)) return undefined;
  const held = [
    event.ctrlKey && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
    event.metaKey && 'Super',
  ];
  return [...held.filter((name) => name !== false), key].join('+');
}
