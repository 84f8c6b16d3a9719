/** How many times longer than on a quick machine a test waits: build/test.sh measures it once a run. */
const factor = Math.max(1, Number(process.env.BECKON_PATIENCE) || 1);

/** How long to wait here for what takes at most so many milliseconds on a quick machine. */
export const patience = (ms: number): number => ms * factor;
