import { api, BeckonError, type Transport } from '../bridge';
import type { Store } from './store.svelte';

const again = 1000;

/** Keeps the store up to what Beckon says, for as long as the page lives. */
export function follow(transport: Transport, store: Store): void {
  let attempt = 0;

  async function attach(): Promise<void> {
    const mine = ++attempt;
    try {
      const whole = store.attach(await api.attach(transport.client), () => mine !== attempt);
      store.connection = 'open';
      store.ready = true;
      await Promise.all([whole, begin()]);
    } catch (thrown) {
      if (mine === attempt) failed(thrown);
    }
  }

  async function begin(): Promise<void> {
    store.about = await api.about();
    await store.attached(transport.client);
  }

  function failed(thrown: unknown): void {
    store.connection = isRefusal(thrown) ? 'refused' : 'lost';
    if (store.connection === 'lost') setTimeout(attach, again);
  }

  transport.listen({
    frame: (frame) => (frame.lost ? void attach() : store.apply(frame)),
    opened() {
      store.forgetNumbers();
      void attach();
    },
    closed() {
      if (store.connection === 'refused') return;
      store.connection = 'lost';
      // A socket does not say why it failed; a call does.
      void api.about().catch((thrown) => {
        if (isRefusal(thrown)) store.connection = 'refused';
      });
    },
  });
}

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof BeckonError && thrown.code === 'unauthorized';
}
