import { comeBack } from './demo';
import { asBeckonError, BeckonError, fromBody } from './errors';
import type { Listener, Transport } from './transport';
import type { Frame, Method } from './types';

/** How long after a failure frames are asked for again, in milliseconds. */
const again = 1000;

/** What the Beckon around the demo does, whatever the page shows. */
const ofHost: Method[] = [
  'StartDemo',
  'LeaveDemo',
  'CallDemo',
  'DemoFrames',
  'ShellEvents',
  'Quit',
  'OpenURL',
  'ChooseFolder',
];

interface Reply {
  ok: boolean;
  body: string;
}

/** The demo, by way of the Beckon that started it. */
export function guestTransport(host: Transport): Transport {
  const client = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) =>
    (b % 36).toString(36),
  ).join('');
  let wake: (() => void) | undefined;
  let leaving = false;

  async function hosted(method: Method, args: unknown[]): Promise<unknown> {
    try {
      return await host.call(method, args);
    } catch (thrown) {
      const error = asBeckonError(thrown);
      // A page that leaves ends the demo itself, and knows what it comes back for.
      if (error.problem === 'demoEnded' && !leaving) comeBack('ended');
      throw error;
    }
  }

  async function call(method: Method, args: unknown[]): Promise<unknown> {
    if (ofHost.includes(method)) return hosted(method, args);
    const { ok, body } = (await hosted('CallDemo', [method, JSON.stringify(args)])) as Reply;
    const said: unknown = JSON.parse(body);
    if (ok) return said;
    throw fromBody(said) ?? new BeckonError('internal', body);
  }

  async function listen(listener: Listener): Promise<never> {
    for (let open = false; ;) {
      try {
        const frames = (await hosted('DemoFrames', [client])) as string;
        if (!open) listener.opened();
        open = true;
        for (const frame of JSON.parse(frames) as Frame[]) listener.frame(frame);
      } catch {
        if (open) listener.closed();
        open = false;
        await new Promise<void>((resolve) => setTimeout((wake = resolve), again));
      }
    }
  }

  return {
    client,
    window: host.window,
    desktop: host.desktop,
    call,
    listen: (listener) => void listen(listener),
    retry: () => wake?.(),
    setTitle: (title) => host.setTitle(title),
    async leaveDemo(why) {
      leaving = true;
      await host.call('LeaveDemo', [client]).catch(() => {}); // it ends with this Beckon at the latest
      comeBack(why);
    },
  };
}
