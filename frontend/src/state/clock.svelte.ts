import { store } from './store.svelte';

let now = $state(Date.now());
let ticking = false;

/**
 * The time, to the second. All clocks of the page share the one tick, so they
 * step together and a hundred cost what one does. It stands still while Beckon
 * is away: what counts down there is not known then.
 */
export const clock = {
  get now(): number {
    if (!ticking) start();
    return now;
  },
};

function start(): void {
  ticking = true;
  setInterval(() => {
    if (store.connection !== 'lost' && store.connection !== 'refused') now = Date.now();
  }, 1000);
}
