// What sliders have in common whose steps are drawn by themselves.

/** Where a key moves a slider, of steps from 0 to last; undefined of a key that does not. */
export function slideTo(cap: string, from: number, last: number): number | undefined {
  return {
    '→': Math.min(from + 1, last),
    '←': Math.max(from - 1, 0),
    Home: 0,
    End: last,
  }[cap];
}

/** At which part of an element's width a pointer is, 0 to 1. */
export function spotOf(event: MouseEvent, { left, width }: DOMRect): number {
  return Math.min(Math.max((event.clientX - left) / width, 0), 1);
}
