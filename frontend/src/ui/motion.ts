/** A duration in milliseconds, and none for those who asked for less motion. */
export function calm(ms: number): number {
  return document.documentElement.dataset.motion === 'off' ||
    matchMedia('(prefers-reduced-motion: reduce)').matches
    ? 0
    : ms;
}
