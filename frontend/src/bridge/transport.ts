import type { Back } from './demo';
import type { Frame, Method } from './types';

/** What a transport tells the page. */
export interface Listener {
  frame(frame: Frame): void;
  /** A connection is open. Frame numbers may have started over: attach. */
  opened(): void;
  /** It broke; the transport keeps trying. */
  closed(): void;
}

/** What the window around the page adds to it. */
export interface Desktop {
  /** Calls whenever the desktop asked something of the page: it is to be fetched. */
  knocked(knock: () => void): void;
  /** Tells where the page is, and whether the person looks at it. */
  tell(route: string, focused: boolean): void;
}

/** How the page reaches Beckon. */
export interface Transport {
  /** Names this page to Beckon. */
  readonly client: string;
  /** Whether this is Beckon's own window and not a browser. */
  readonly window: boolean;
  /** Undefined in a browser. */
  readonly desktop?: Desktop;
  call(method: Method, args: unknown[]): Promise<unknown>;
  /** Starts to listen; called once. */
  listen(listener: Listener): void;
  /** Tries again now instead of at the next turn of the backoff. */
  retry(): void;
  setTitle(title: string): void;
  /** Goes back from the demo; undefined where the page is no guest of one. */
  leaveDemo?(why: Back): Promise<void>;
}
