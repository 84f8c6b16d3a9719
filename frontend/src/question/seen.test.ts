// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutOf } from './seen';

/** Where things are, by their ids; jsdom lays nothing out. */
const places: Record<string, [left: number, top: number, right: number, bottom: number]> = {};

beforeEach(() => {
  HTMLElement.prototype.getBoundingClientRect = function (this: HTMLElement) {
    const [left, top, right, bottom] = places[this.id] ?? [0, 0, innerWidth, innerHeight];
    return { left, top, right, bottom, width: right - left, height: bottom - top } as DOMRect;
  };
  document.body.innerHTML =
    '<div id="card"><p id="q" data-part="question">Left or right?</p><button id="o" data-part="option">Left</button></div><div id="t" class="toast">Copied</div>';
  Object.assign(places, {
    q: [100, 100, 300, 120],
    o: [100, 130, 300, 150],
    t: [500, 500, 700, 540],
  });
});
afterEach(() => (document.body.innerHTML = ''));

const cut = () => cutOf(document.getElementById('card')!);

test('a toast beside the question leaves its keys alone', () => {
  expect(cut()).toBe('');
});

test('a toast over a part of the question is in the way of its keys', () => {
  places.t = [250, 110, 450, 128];
  expect(cut()).toBe('question');
  places.t = [250, 125, 450, 140];
  expect(cut()).toBe('option');
});

test('a toast that only touches its edge covers nothing', () => {
  places.t = [300, 100, 500, 150];
  expect(cut()).toBe('');
});

test('over the sheet that the question is read in there is no toast', () => {
  const sheet = document.createElement('dialog');
  document.body.append(sheet);
  sheet.append(document.getElementById('card')!);
  places.t = [250, 110, 450, 128];
  expect(cut()).toBe('');
});
