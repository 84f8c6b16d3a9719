import { afterDrawn } from './drawn';
import { BeckonError, fromBody } from './errors';
import { onNewKey, takeKey, theKey } from './key';
import type { Listener, Transport } from './transport';
import type { Frame } from './types';

const firstDelay = 250;
const longestDelay = 5000;

/** A browser on `beckon serve`: calls over HTTP, frames over a WebSocket. */
export async function browserTransport(): Promise<Transport> {
  await takeKey(async (key) => (await post('About', [], key)).ok);
  const client = randomClient();
  const socket = new Reconnecting(`events?client=${client}`);
  onNewKey(() => socket.now());
  return {
    client,
    window: false,
    call,
    listen: (listener) => socket.start(listener),
    retry: () => socket.now(),
    setTitle: (title) => (document.title = title),
  };
}

async function call(method: string, args: unknown[]): Promise<unknown> {
  const response = await post(method, args);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const known = fromBody(body);
  if (response.status === 401)
    throw new BeckonError('unauthorized', known?.message ?? response.statusText);
  throw known ?? new BeckonError('internal', `${response.status} ${response.statusText}`);
}

async function post(method: string, args: unknown[], key = theKey()): Promise<Response> {
  try {
    const body = JSON.stringify(args);
    return await fetch(`rpc/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Beckon-Key': key },
      credentials: 'same-origin',
      body,
      // An answer, and a change of one, leaves although its page does; browsers carry at
      // most 64 KB over its end.
      keepalive: (method === 'AnswerQuestion' || method === 'ChangeAnswer') && body.length < 60_000,
    });
  } catch {
    throw new BeckonError('unreachable', 'Beckon is not running');
  }
}

/** 16 letters and digits, as the server wants them. */
function randomClient(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => (b % 36).toString(36)).join(
    '',
  );
}

/** A WebSocket that comes back, ever more slowly, until it stands again. */
class Reconnecting {
  #url: string;
  #listener?: Listener;
  #delay = firstDelay;
  #timer?: ReturnType<typeof setTimeout>;

  constructor(path: string) {
    const url = new URL(path, document.baseURI);
    url.protocol = url.protocol.replace('http', 'ws');
    url.hash = '';
    this.#url = url.href;
  }

  start(listener: Listener): void {
    this.#listener = listener;
    this.#connect();
  }

  now(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  #connect(): void {
    this.#timer = undefined;
    const key = theKey();
    const socket = new WebSocket(this.#url, key === '' ? [] : [`beckon.${key}`]);
    socket.onopen = () => {
      this.#delay = firstDelay;
      this.#listener?.opened();
    };
    const taken = afterDrawn((seq) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(`${seq}`);
    });
    socket.onmessage = (message) => {
      const frame = JSON.parse(message.data) as Frame;
      this.#listener?.frame(frame);
      taken(frame.seq);
    };
    socket.onclose = () => this.#closed();
  }

  #closed(): void {
    this.#listener?.closed();
    this.#timer = setTimeout(() => this.#connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }
}
