/** A duration in milliseconds, and none for those who asked for less motion. */
export function calm(ms: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
}
