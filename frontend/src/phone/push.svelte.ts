// Notifications while the page is closed, by the service of the browser's maker.

import { keep, kept } from './kept';
import { call, Refused } from './wire';

/**
 * Stand is how it stands: `no` where this browser cannot, `home` where it can
 * once the page is on the Home Screen, `denied` where the person said no to the
 * browser, `away` where the desk has it switched off.
 */
export type Stand = 'unknown' | 'no' | 'home' | 'denied' | 'away' | 'off' | 'on';

class Push {
  stand = $state<Stand>('unknown');
  #key = '';

  /** Finds out how it stands. */
  async look(): Promise<void> {
    if (
      !('serviceWorker' in navigator) ||
      !('PushManager' in window) ||
      !('Notification' in window)
    ) {
      this.stand =
        /iPhone|iPad/.test(navigator.userAgent) && !matchMedia('(display-mode: standalone)').matches
          ? 'home'
          : 'no';
      return;
    }
    if (Notification.permission === 'denied') {
      this.stand = 'denied';
      return;
    }
    try {
      const { key, on } = await call<{ key: string; on: boolean }>('GET', '/api/push');
      this.#key = key;
      const own = await (await registration())?.pushManager.getSubscription();
      this.stand = on && own ? 'on' : 'off';
    } catch (error) {
      this.stand = error instanceof Refused ? 'away' : 'unknown';
    }
  }

  /** Switches it on; to be called by a press, or the browser may not ask. */
  async on(): Promise<void> {
    const answer = await Notification.requestPermission();
    if (answer !== 'granted') {
      this.stand = answer === 'denied' ? 'denied' : 'off';
      return;
    }
    const worker = await registration();
    if (!worker) throw new Error('no service worker');
    const wish = { userVisibleOnly: true, applicationServerKey: bytesOf(this.#key) };
    const subscription = await worker.pushManager.subscribe(wish).catch(async () => {
      // One with another key is in the way.
      await (await worker.pushManager.getSubscription())?.unsubscribe();
      return worker.pushManager.subscribe(wish);
    });
    await call('POST', '/api/push', subscription.toJSON());
    keep('push', subscription.endpoint);
    this.stand = 'on';
  }

  /** Subscribes once more where the browser has ended or changed what Beckon knows. */
  async renew(): Promise<void> {
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const own = await (await registration())?.pushManager?.getSubscription();
    if (own && own.endpoint === kept('push')) return;
    await this.look();
    if (this.#key) await this.on();
  }

  async off(): Promise<void> {
    await call('DELETE', '/api/push');
    await this.end();
    this.stand = 'off';
  }

  /** Ends what the browser has of it. */
  async end(): Promise<void> {
    await (
      await (await registration())?.pushManager.getSubscription()
    )
      ?.unsubscribe()
      .catch(() => false);
  }
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration('/');
}

/** bytesOf reads base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

export const push = new Push();
