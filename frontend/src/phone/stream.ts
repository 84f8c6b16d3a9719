// What Beckon tells by itself, as server-sent events. The browser's own reader
// of those sends no header, without which Beckon answers nobody; this one does,
// and hears when the line has gone dead.

/** Told is one event. */
export interface Told {
  event: string;
  data: string;
}

/** Reader puts events together from what arrives, in whatever pieces. */
export class Reader {
  #rest = '';

  take(piece: string): Told[] {
    const blocks = (this.#rest + piece).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => toldOf(block) ?? []);
  }
}

/** toldOf reads a block of lines; undefined for a comment. */
function toldOf(block: string): Told | undefined {
  const told: Told = { event: 'message', data: '' };
  let said = false;
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (name === 'event') told.event = value;
    if (name !== 'data') continue;
    told.data += (said ? '\n' : '') + value;
    said = true;
  }
  return said ? told : undefined;
}

/** How long the line may be silent, in milliseconds. Beckon says something each 20 seconds. */
const silentMs = 50_000;

/** listen reads a stream until it ends, breaks, falls silent, or is aborted; it tells how by what it throws. */
export async function listen(
  response: Response,
  hear: (told: Told) => void,
  line: AbortController,
): Promise<void> {
  const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const reader = new Reader();
  for (;;) {
    const dead = setTimeout(() => line.abort(), silentMs);
    const { done, value } = await body.read().finally(() => clearTimeout(dead));
    if (done) return;
    for (const told of reader.take(value)) hear(told);
  }
}
