import * as App from '../../wailsjs/go/main/App';
import { EventsEmit, EventsOn, OnFileDrop, WindowSetTitle } from '../../wailsjs/runtime/runtime';
import { afterDrawn } from './drawn';
import { asBeckonError } from './errors';
import type { Desktop, Transport } from './transport';
import type { Frame } from './types';

/** Beckon's own window: bound functions, the event "frame", and "taken" back. */
export function windowTransport(): Transport {
  return {
    client: 'window',
    window: true,
    desktop: desktop(),
    async call(method, args) {
      try {
        return await (App[method] as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (thrown) {
        throw asBeckonError(thrown);
      }
    },
    listen(listener) {
      const taken = afterDrawn((seq) => EventsEmit('taken', seq));
      EventsOn('frame', (frame: Frame) => {
        listener.frame(frame);
        taken(frame.seq);
      });
      listener.opened();
    },
    retry() {},
    setTitle(title) {
      document.title = title;
      WindowSetTitle(title);
    },
  };
}

function desktop(): Desktop {
  // Go hears of the paths on its own; where the page has to resolve them for
  // it, as on Windows, it does so for who listens.
  OnFileDrop(() => {}, false);
  return {
    knocked: (knock) => void EventsOn('shell', knock),
    tell: (route, focused) => EventsEmit('page', { route, focused }),
  };
}
