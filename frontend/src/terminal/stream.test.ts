import { expect, test } from 'vitest';
import { heightOf } from './drawer.svelte';
import { bytesOf, pieceOf, Stream, type Line } from './stream';

/** A terminal whose output is a text, read in pieces of ten bytes. */
class Far implements Line {
  printed = '';
  /** What it prints meanwhile whenever it is read. */
  flood = '';
  drawn = '';
  typed: string[] = [];
  reads: number[] = [];
  asked: (() => void)[] = [];
  failing = false;
  errors: unknown[] = [];
  stream: Stream | undefined;
  replayed: boolean[] = [];

  output(from: number) {
    this.reads.push(from);
    const data = this.printed.slice(from, from + 10);
    const next = from + data.length;
    const end = this.printed.length;
    this.printed += this.flood;
    return Promise.resolve({ data: btoa(data), from, next, end, more: next < end });
  }

  async type(text: string) {
    await new Promise<void>((done) => this.asked.push(done));
    if (this.failing) throw new Error('full');
    this.typed.push(text);
  }

  draw(bytes: Uint8Array) {
    this.drawn += new TextDecoder().decode(bytes);
    this.replayed.push(this.stream?.replaying ?? false);
    return Promise.resolve();
  }

  failed(error: unknown) {
    this.errors.push(error);
  }
}

const turn = () => new Promise((done) => setTimeout(done));

test('a page that comes gets what was printed, a piece at a time, and then what follows', async () => {
  const far = new Far();
  const stream = (far.stream = new Stream(far, false));
  far.printed = 'a prompt and what was said ';
  await stream.follow();
  expect(far.drawn).toBe(far.printed);
  expect(far.reads).toEqual([0, 10, 20]);
  expect(far.replayed, 'what is shown again answers nothing').toEqual([true, true, true]);
  far.printed += 'and more';
  await Promise.all([stream.follow(), stream.follow()]);
  expect(far.drawn).toBe(far.printed);
  expect(far.replayed.at(-1)).toBe(false);
});

test('a flood is shown again up to where it was when the page came', async () => {
  const far = new Far();
  const stream = (far.stream = new Stream(far, false));
  far.printed = 'x'.repeat(25);
  far.flood = 'y'.repeat(10);
  const read = stream.follow();
  for (let i = 0; far.replayed.length < 6 && i < 100; i++) await Promise.resolve();
  stream.close();
  await read;
  expect(far.replayed.slice(0, 5)).toEqual([true, true, true, false, false]);
});

test('what a new shell asks of its terminal at once is answered', async () => {
  const far = new Far();
  const stream = (far.stream = new Stream(far, true));
  far.printed = '\x1b[c';
  await stream.follow();
  expect(far.replayed).toEqual([false]);
});

test('what is typed fast arrives in order, one call at a time', async () => {
  const far = new Far();
  const stream = new Stream(far, true);
  for (const key of 'echo hi') void stream.type(key);
  expect(far.asked.length).toBe(1);
  far.asked.shift()!();
  await turn();
  far.asked.shift()!();
  await turn();
  expect(far.typed).toEqual(['e', 'cho hi']);
});

test('what could not be typed is said, and nothing behind it is typed alone', async () => {
  const far = new Far();
  far.failing = true;
  const stream = new Stream(far, true);
  void stream.type('rm -r ');
  void stream.type('/\r');
  far.asked.shift()!();
  await turn();
  expect([far.typed, far.errors.length, far.asked.length]).toEqual([[], 1, 0]);
  far.failing = false;
  void stream.type('x');
  far.asked.shift()!();
  await turn();
  expect(far.typed).toEqual(['x']);
});

test('a long paste goes in pieces that cut no character', () => {
  const text = 'x'.repeat(15_999) + '😀' + 'y';
  expect(pieceOf(text)).toBe('x'.repeat(15_999));
  expect(pieceOf('short')).toBe('short');
});

test('bytes arrive as they were', () => {
  expect([...bytesOf(btoa('\x00\xff\x1b'))]).toEqual([0, 255, 27]);
});

test('a height that was kept badly is the usual one', () => {
  expect([null, '', 'x', '-3', '5', '55', '500'].map(heightOf)).toEqual([
    40, 40, 40, 40, 20, 55, 90,
  ]);
});
