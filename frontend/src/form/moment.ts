// Moments as the browser's fields for date and time have them: local, to the minute.

const minuteMs = 60_000;

/** toLocal is a moment as a field has it; 0 is none. */
export function toLocal(at: number): string {
  if (at === 0) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}

/** fromLocal is the moment that a field has; 0 where it has none. */
export function fromLocal(value: string): number {
  return new Date(value).getTime() || 0;
}
