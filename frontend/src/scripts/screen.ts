import { visible, stripAnsi } from '../text/plain';

/**
 * What a terminal would show of a text in the end: a carriage return begins the line
 * again, as progress bars do, and no colours.
 */
export function screen(text: string): string {
  return stripAnsi(text)
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) =>
      visible(line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replace(/\r$/, '')),
    )
    .join('\n');
}
