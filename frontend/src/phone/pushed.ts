// What a push says, and how it is shown.

/** Pushed is what Beckon sends: `title` in its own words, `text` only where the person has it sent, `close` once it is over. */
export interface Pushed {
  id: string;
  key: string;
  kind: string;
  title: string;
  text?: string;
  close?: boolean;
}

export type Words = Record<string, string>;

/** read reads a push; undefined for one that is none of Beckon's. */
export function read(text: string): Pushed | undefined {
  try {
    const one = JSON.parse(text) as Partial<Pushed> | null;
    if (typeof one?.id !== 'string' || one.id === '') return undefined;
    const word = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      id: one.id,
      key: word(one.key),
      kind: word(one.kind),
      title: word(one.title),
      text: word(one.text),
      close: one.close === true,
    };
  } catch {
    return undefined;
  }
}

/** shown is what a notification says. */
export function shown(pushed: Pushed, words: Words): { title: string; body: string } {
  const who = pushed.key || words.elsewhere!;
  const fill = (name: string) => (words[name] ?? words.ask!).replace('{key}', () => who);
  return {
    title: pushed.title || fill(pushed.close ? 'answered' : pushed.kind),
    body: pushed.close ? '' : (pushed.text ?? ''),
  };
}
