/** The quiet hours that are offered first: 22:00 to 08:00. */
export const usualQuiet = { quietFrom: 22 * 60, quietTo: 8 * 60 };

const day = 24 * 60;

/** The half hours of a day in minutes since midnight, and the present one where it is none of them. */
export function halfHours(present: number): number[] {
  const all = Array.from({ length: day / 30 }, (_, n) => n * 30);
  return all.includes(present) ? all : [...all, present].sort((a, b) => a - b);
}

/** Minutes since midnight as a clock shows them: 22:00. */
export function atClock(minute: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
