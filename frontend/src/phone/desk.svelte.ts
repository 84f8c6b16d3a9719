// What this device knows of Beckon: who it is there, what waits, and whether
// Beckon is there at all. The last of it is kept, so that a page that is opened
// under ground shows what waited when it last was above.

import { Again } from './again';
import { forgetAll, keep, kept } from './kept';
import { time } from './time.svelte';
import { listen, type Told } from './stream';
import type { Inbox, Me, Paired } from './types';
import { call, Refused, stream } from './wire';

/** Link is how Beckon is reached. */
export type Link = 'looking' | 'open' | 'away';

class Desk {
  /** This device; undefined until Beckon said, null where it knows none. */
  me = $state.raw<Me | null | undefined>(kept<Me>('me'));
  inbox = $state.raw<Inbox | undefined>(kept<Inbox>('inbox'));
  link = $state<Link>('looking');
  /** Whether it was paired, and was removed at the desk since. */
  removed = $state(false);
  /** Called each time that Beckon is reached again. */
  onback = () => {};
  /** Called with the ids of the questions that wait. */
  onwaiting: (ids: string[]) => void = () => {};

  #line: AbortController | undefined;
  #again = new Again(() => void this.look());
  #looking: Promise<void> | undefined;

  /** Whether what is shown may be old. */
  get stale(): boolean {
    return this.link !== 'open';
  }

  /** Asks who this is, and listens from then on. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<void> {
    this.#hangUp();
    // Beckon lets nobody in without it, and counts who tries.
    if (kept<string>('key') === undefined) {
      this.#unknown();
      return;
    }
    try {
      this.take(await call<Me>('GET', '/api/me'));
    } catch (error) {
      this.#failed(error);
      return;
    }
    void this.#listen();
  }

  /** Takes this device's key, with which Beckon knows it. */
  pair({ key, ...me }: Paired): void {
    keep('key', key);
    this.take(me);
  }

  /** Takes what Beckon says of this device. */
  take(me: Me): void {
    this.removed = false;
    this.me = me;
    keep('me', me);
  }

  /** Has Beckon forget this device, and forgets Beckon. */
  async leave(): Promise<void> {
    this.#hangUp(); // else it would hear of its own end, as of one by the desk
    try {
      await call('POST', '/api/forget', {});
    } catch (error) {
      // One that Beckon does not know is forgotten already.
      if (!(error instanceof Refused && error.status === 401)) {
        void this.look();
        throw error;
      }
    }
    this.#forget();
  }

  /** Lets go of everything that is kept. */
  #forget(): void {
    this.#hangUp();
    this.#again.stop();
    forgetAll();
    this.me = null;
    this.inbox = undefined;
  }

  /** Follows what tells that Beckon may be there again, or is not. */
  follow(): () => void {
    const back = () => document.hidden || !this.me || this.#again.soon();
    const gone = () => this.me && this.lost();
    const shown = (event: PageTransitionEvent) => event.persisted && back();
    document.addEventListener('visibilitychange', back);
    addEventListener('online', back);
    addEventListener('offline', gone);
    addEventListener('pageshow', shown);
    void this.look();
    return () => {
      document.removeEventListener('visibilitychange', back);
      removeEventListener('online', back);
      removeEventListener('offline', gone);
      removeEventListener('pageshow', shown);
      this.#hangUp();
      this.#again.stop();
    };
  }

  async #listen(): Promise<void> {
    const line = new AbortController();
    this.#line = line;
    try {
      await listen(await stream(line.signal), (told) => this.#hear(told, line), line);
    } catch (error) {
      if (this.#line === line) this.#failed(error);
      return;
    }
    if (this.#line === line) this.lost();
  }

  #hear({ event, data }: Told, line: AbortController): void {
    if (this.#line !== line) return;
    if (event === 'inbox') this.#takeInbox(JSON.parse(data) as Inbox);
    else if (event === 'me') this.take(JSON.parse(data) as Me);
    else if (event === 'gone') this.#unknown();
    // What was kept may be old until the first inbox; one that is not let in gets none.
    if (this.link !== 'open' && (event === 'inbox' || this.me?.confirmed === false)) this.#there();
  }

  #failed(error: unknown): void {
    if (error instanceof Refused && error.status === 401) this.#unknown();
    else this.lost();
  }

  #there(): void {
    this.#again.well();
    this.link = 'open';
    this.onback();
  }

  #takeInbox(inbox: Inbox): void {
    time.set(inbox.now);
    this.inbox = inbox;
    keep('inbox', inbox);
    this.onwaiting(inbox.waiting.map((one) => one.question.id));
  }

  /** Beckon was not reached. */
  lost(): void {
    this.#hangUp();
    this.link = 'away';
    this.#again.later();
  }

  #unknown(): void {
    const was = this.me;
    this.#forget();
    this.removed = Boolean(was);
    this.link = 'open';
  }

  #hangUp(): void {
    const line = this.#line;
    this.#line = undefined;
    line?.abort();
  }
}

export const desk = new Desk();
