import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterDrawn } from './drawn';

let draw: FrameRequestCallback[] = [];
let now = 0;

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  draw = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('requestAnimationFrame', (f: FrameRequestCallback) => draw.push(f));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Draws the page, which takes so many milliseconds. */
function drawn(ms: number): void {
  for (const f of draw.splice(0)) f(now);
  now += ms;
  vi.advanceTimersByTime(0);
}

test('the back end hears of frames once they are drawn, together', () => {
  const told: number[] = [];
  const taken = afterDrawn((seq) => told.push(seq));
  taken(3);
  taken(4);
  vi.advanceTimersByTime(5000);
  expect(told).toEqual([]); // a page that is hidden draws nothing
  drawn(2);
  expect(told).toEqual([4]);
  taken(5);
  drawn(2);
  expect(told).toEqual([4, 5]);
});

test('what is dear to draw leaves the page as long for itself', () => {
  const told: number[] = [];
  const taken = afterDrawn((seq) => told.push(seq));
  taken(1);
  drawn(80);
  vi.advanceTimersByTime(79);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([1]);
  taken(2);
  drawn(3000);
  vi.advanceTimersByTime(200);
  expect(told).toEqual([1, 2]);
});
