import { store } from './store.svelte';

/** For how long after a key, a press or a move of the pointer time is shown to the second. */
const attendedMs = 30_000;

/** How far time may be behind where nobody is: each step costs a drawing of the window. */
const behindMs = { most: 30_000, whileSomethingRuns: 10_000 };

/** Less on a question's clock than this runs, and less than that runs out. */
const runsMs = 5 * 60_000;
const lastMs = 70_000;

let now = $state(Date.now());
let attended = Date.now();
let ticking = false;

/**
 * The time, to the second while somebody is there or a clock runs out. All clocks of the
 * page share the one tick, so they step together and a hundred cost what one does. It stands
 * still while Beckon is away: what counts down there is not known then.
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
    const time = Date.now();
    if (Math.round((time - now) / 1000) * 1000 >= mayBeBehindMs(time)) tick(time);
  }, 1000);
  if (typeof addEventListener !== 'function') return;
  for (const kind of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focus'])
    addEventListener(kind, attend, { capture: true, passive: true });
}

function tick(time: number): void {
  if (store.connection !== 'lost' && store.connection !== 'refused') now = time;
}

/** Somebody is there: who was not is shown the time at once. */
function attend(): void {
  const time = Date.now();
  if (time - attended >= attendedMs) tick(time);
  attended = time;
}

function mayBeBehindMs(time: number): number {
  if (time - attended < attendedMs || store.waiting.some(({ asked }) => asked > now)) return 0;
  const left = Math.min(
    ...store.waiting.map(({ deadline, heldMs }) =>
      heldMs === 0 && deadline > time ? deadline - time : Infinity,
    ),
  );
  if (left < lastMs) return 0;
  return left < runsMs ||
    store.runs.values().some(({ phase }) => phase === 'starting' || phase === 'working')
    ? behindMs.whileSomethingRuns
    : behindMs.most;
}
