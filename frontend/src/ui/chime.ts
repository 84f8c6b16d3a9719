// The sounds of an agent that needs the person. They are computed as they are played: no file is
// fetched, and the policy of the page stays as narrow as it is.

/** The tones of each: their pitch in Hz, when they begin and how long they fade, in seconds. */
const chimes = {
  bell: [
    [880, 0, 1.2],
    [1760, 0, 0.8],
    [2637, 0, 0.4],
  ],
  knock: [
    [196, 0, 0.12],
    [196, 0.17, 0.12],
  ],
  rise: [
    [523, 0, 0.3],
    [784, 0.14, 0.6],
  ],
} as const satisfies Record<string, readonly (readonly [hz: number, at: number, fades: number])[]>;

export type Chime = keyof typeof chimes;
export const names = Object.keys(chimes) as Chime[];

const loudest = 0.18;
/** The engine that plays works no longer than the longest of them. */
const restsAfter = 2000;
/** So long no other window of this page plays one, nor does this. */
const apartMs = 4000;
/** So long an engine may take to begin, which refuses by saying nothing. */
const beginsIn = 500;

let context: AudioContext | undefined;
let rests: ReturnType<typeof setTimeout> | undefined;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Gets ready to be heard, and returns whether it is: an engine may keep a page silent until the
 * person has pressed something in it. What the first press calls is heard from then on.
 */
export async function wake(): Promise<boolean> {
  if (globalThis.AudioContext === undefined) return false;
  context ??= new AudioContext();
  const engine = context;
  clearTimeout(rests);
  rests = setTimeout(() => void engine.suspend(), restsAfter);
  if (engine.state !== 'running') await Promise.race([engine.resume(), pause(beginsIn)]);
  return engine.state === 'running';
}

/** Plays one, and returns whether it could be heard. */
export async function play(chime: Chime): Promise<boolean> {
  if (!(await wake()) || context === undefined) return false;
  const engine = context;
  for (const [hz, at, fades] of chimes[chime]) {
    const begins = engine.currentTime + 0.02 + at;
    const tone = new OscillatorNode(engine, { type: 'sine', frequency: hz });
    const volume = new GainNode(engine, { gain: 0 });
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(loudest, begins + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, begins + fades);
    tone.connect(volume).connect(engine.destination);
    tone.start(begins);
    tone.stop(begins + fades);
  }
  return true;
}

/** Plays one, in one of this page's windows, unless one was played a moment ago. */
export async function ring(chime: Chime): Promise<void> {
  if (!(await wake())) return;
  const first = async () => {
    await play(chime);
    await pause(apartMs);
  };
  // An engine that has no locks has one window.
  if (navigator.locks === undefined) await first();
  else
    await navigator.locks.request('chime', { ifAvailable: true }, (lock) =>
      lock === null ? undefined : first(),
    );
}
