// The text of a file or a paste, as it goes to Beckon.

/** How many bytes a list may have; Go's importing.MaxText. */
export const mostBytes = 8 << 20;

/** How many characters one call brings: however they are written there, it has room for them. */
const pieceLength = 120_000;

/** The text of a file in UTF-8, or in UTF-16 with its mark; undefined where it is neither. */
export function textOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const name =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A text in pieces, none of which ends within a character. */
export function pieces(text: string, length = pieceLength): string[] {
  const list: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + length, text.length);
    if (to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1]!)) to--;
    list.push(text.slice(from, to));
    from = to;
  }
  return list;
}

/** Which kind of list a file has by its name; undefined where that says nothing. */
export function kindOfFile(name: string): 'csv' | 'markdown' | 'database' | undefined {
  const end = name.toLowerCase().match(/\.([a-z0-9]+)$/)?.[1];
  if (end === 'csv' || end === 'tsv') return 'csv';
  if (end === 'md' || end === 'markdown' || end === 'txt') return 'markdown';
  return end === 'sqlite' || end === 'sqlite3' || end === 'db' ? 'database' : undefined;
}
