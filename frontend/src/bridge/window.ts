import * as App from '../../wailsjs/go/main/App';
import { EventsOn, WindowSetTitle } from '../../wailsjs/runtime/runtime';
import { asBeckonError } from './errors';
import type { Transport } from './transport';
import type { Frame } from './types';

/** Beckon's own window: bound functions, and the one event "frame". */
export function windowTransport(): Transport {
  return {
    client: 'window',
    window: true,
    async call(method, args) {
      try {
        return await (App[method] as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (thrown) {
        throw asBeckonError(thrown);
      }
    },
    listen(listener) {
      EventsOn('frame', (frame: Frame) => listener.frame(frame));
      listener.opened();
    },
    retry() {},
    setTitle(title) {
      document.title = title;
      WindowSetTitle(title);
    },
  };
}
