// The phone's requests to Beckon, and the two ways in which they fail: Beckon
// said no, or was not there to say anything.

import { kept } from './kept';
import type { Answered } from './types';

/** Refused is Beckon's no. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** How the question was settled, where another answer was first. */
    readonly settled?: Answered,
  ) {
    super(message);
  }
}

/** Away says that Beckon was not reached: no network, a computer asleep, a tunnel without an end. */
export class Away extends Error {}

/** How long a request may take, in milliseconds. */
const patience = 15_000;

/**
 * headers has the key of this device. Its cookie alone would not do: a browser
 * sends cookies to every port of a name, and somebody else may serve another
 * port. What is kept here is of this port's pages only.
 */
function headers(more: Record<string, string> = {}): Record<string, string> {
  const key = kept<string>('key');
  return key ? { 'Beckon-Key': key, ...more } : more;
}

/** Opens what Beckon tells by itself. */
export async function stream(signal: AbortSignal): Promise<Response> {
  const response = await fetch('/api/events', {
    signal,
    cache: 'no-store',
    redirect: 'error',
    headers: headers(),
  });
  if (response.ok && response.headers.get('Content-Type')?.startsWith('text/event-stream'))
    return response;
  read(response.status, await response.text());
  throw new Away(`HTTP ${response.status} is no stream`);
}

/** Sends a request and returns what Beckon says to it. */
export async function call<T = void>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(patience),
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error', // somebody else's page, such as a hotel's
      keepalive: method === 'POST', // an answer leaves although its page does
      headers: headers(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    throw new Away(String(error));
  }
  return read<T>(response.status, text);
}

/** read tells Beckon's words from those of what stands between. */
export function read<T>(status: number, text: string): T {
  if (status === 204) return undefined as T;
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw new Away(`HTTP ${status} without JSON`);
  }
  if (status < 300) return said as T;
  const {
    code,
    message = '',
    settled,
  } = (said ?? {}) as { code?: string; message?: string; settled?: Answered };
  // Between the page and Beckon stand proxies, which answer for it when it is not there.
  if (status === 429 || typeof code !== 'string' || code === '') throw new Away(`HTTP ${status}`);
  throw new Refused(status, code, message, settled);
}
