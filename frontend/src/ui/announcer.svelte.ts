class Announcer {
  polite = $state('');
  assertive = $state('');

  /** Has a screen reader say text when it is done with what it says. */
  say(text: string): void {
    this.polite = again(this.polite, text);
  }

  /** Has a screen reader say text at once: drag positions, a stopped run. */
  interrupt(text: string): void {
    this.assertive = again(this.assertive, text);
  }
}

/** The same text twice would be no change, and so be said once. */
function again(before: string, text: string): string {
  return before === text ? `${text}\u00a0` : text;
}

/** The page's two live regions. */
export const announcer = new Announcer();
