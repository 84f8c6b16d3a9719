import type { Reason } from './types';

/** The words that Go's `beckon.Code` gives, and those of the bridge itself. */
export type Code =
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'untrusted'
  | 'unavailable'
  | 'unmerged'
  | 'disk_full'
  | 'internal'
  /** Beckon did not answer at all; nothing is known of what it did. */
  | 'unreachable'
  /** The page's cookie or key is not, or no longer, accepted. */
  | 'unauthorized';

/** What a call to Beckon throws. `message` is English; the page says `problem`, with `data`, or `why` in the person's language. */
export class BeckonError extends Error {
  constructor(
    readonly code: Code,
    message: string,
    readonly problem = '',
    readonly data: Record<string, string> = {},
    readonly why?: Reason,
  ) {
    super(message);
    this.name = 'BeckonError';
  }
}

/**
 * Makes a BeckonError of whatever a call threw: the window rejects with an
 * Error, or a bare string, whose text is the JSON of Go's `beckon.Failure`.
 */
export function asBeckonError(thrown: unknown): BeckonError {
  if (thrown instanceof BeckonError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  try {
    return fromBody(JSON.parse(text)) ?? new BeckonError('internal', text);
  } catch {
    return new BeckonError('internal', text);
  }
}

/** Reads a `beckon.Failure`; undefined where it is something else. */
export function fromBody(body: unknown): BeckonError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, message, problem, data, why } = body as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return new BeckonError(
    code as Code,
    message,
    typeof problem === 'string' ? problem : '',
    values(data),
    (why ?? undefined) as Reason | undefined,
  );
}

function values(data: unknown): Record<string, string> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
}
