import type { Frame, Method } from './types';

/** What a transport tells the page. */
export interface Listener {
  frame(frame: Frame): void;
  /** A connection stands. Frame numbers may have begun anew: attach. */
  opened(): void;
  /** It broke; the transport keeps trying. */
  closed(): void;
}

/** How the page reaches Beckon. */
export interface Transport {
  /** Names this page to Beckon. */
  readonly client: string;
  /** Whether this is Beckon's own window and not a browser. */
  readonly window: boolean;
  call(method: Method, args: unknown[]): Promise<unknown>;
  /** Starts to listen; called once. */
  listen(listener: Listener): void;
  /** Tries again now instead of at the next turn of the backoff. */
  retry(): void;
  setTitle(title: string): void;
}
