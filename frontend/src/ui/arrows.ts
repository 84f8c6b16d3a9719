/** Where an arrow key leads in a list of choices: to the next (1), to the one before (-1); undefined of another key. */
export function arrowStep(key: string): 1 | -1 | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return 1;
  return key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : undefined;
}
