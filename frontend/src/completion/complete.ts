// What is being completed in a text, and what a completion makes of it.

import type { beckon } from '../bridge';
import { oneLine, plain } from '../text/plain';

/** Token is what stands before the caret and can be completed. */
export interface Token {
  kind: 'command' | 'file';
  /** Where it begins, with its mark. */
  from: number;
  /** What was typed of it, without its mark. */
  typed: string;
}

/** Option is one completion: what is shown, and what it puts in. */
export interface Option {
  insert: string;
  label: string;
  hint: string;
  description: string;
}

/** The completions that are shown at most. */
export const mostOptions = 12;

/** tokenAt finds what the caret stands at the end of; undefined where nothing is to be completed. */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: 'command', from: 0, typed: command[1]! };
  const file = /(?:^|[\s([{,;])@([^\s@"]*)$/.exec(before);
  if (file) return { kind: 'file', from: caret - file[1]!.length - 1, typed: file[1]! };
  return undefined;
}

/** complete puts an option where the token is and tells where the caret is then. */
export function complete(
  text: string,
  caret: number,
  token: Token,
  insert: string,
): { text: string; caret: number } {
  const rest = text.slice(caret).replace(/^\S+/, '');
  const gap = /^\s/.test(rest) ? '' : ' ';
  const head = text.slice(0, token.from) + insert + gap;
  return { text: head + rest, caret: head.length + (gap === '' ? 1 : 0) };
}

/** commandOptions are the commands that fit: those that begin with what was typed come first. */
export function commandOptions(commands: beckon.Command[], typed: string): Option[] {
  const wanted = typed.toLowerCase();
  const named = commands.map((command) => ({
    command,
    at: command.name.toLowerCase().indexOf(wanted),
  }));
  const fit = named
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Math.min(a.at, 1) - Math.min(b.at, 1));
  return fit.slice(0, mostOptions).map(({ command }) => ({
    insert: `/${oneLine(command.name)}`,
    label: `/${oneLine(command.name)}`,
    hint: oneLine(command.hint),
    description: oneLine(command.description),
  }));
}

/** fileOptions are files as they are named in a message, their folders apart. */
export function fileOptions(files: string[]): Option[] {
  return files.slice(0, mostOptions).map((file) => {
    const shown = oneLine(file);
    const cut = shown.lastIndexOf('/') + 1;
    return {
      insert: mention(file),
      label: shown.slice(cut),
      hint: '',
      description: shown.slice(0, cut),
    };
  });
}

/** A name that would show otherwise than it is goes in as it shows, and so names nothing. */
function mention(file: string): string {
  const name = plain(file) === file && !file.includes('\n') ? file : oneLine(file);
  return /[\s"]/.test(name) ? `@"${name.replaceAll('"', '')}"` : `@${name}`;
}
