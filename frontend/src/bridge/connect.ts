import { browserTransport } from './browser';
import { inDemo } from './demo';
import { guestTransport } from './guest';
import type { Transport } from './transport';

let chosen: Transport | undefined;

/** The page's one transport. `connect` must have settled. */
export function transport(): Transport {
  if (chosen === undefined) throw new Error('the bridge is not connected');
  return chosen;
}

/** Chooses how to reach Beckon; called once, before anything is shown. */
export async function connect(): Promise<Transport> {
  const own = await choose();
  chosen = inDemo() ? guestTransport(own) : own;
  return chosen;
}

async function choose(): Promise<Transport> {
  // Wails puts its functions there before the page's scripts run.
  if ('go' in window && 'runtime' in window) return (await import('./window')).windowTransport();
  return browserTransport();
}
