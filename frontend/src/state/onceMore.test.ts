import { expect, test } from 'vitest';
import { OnceMore } from './onceMore';

test('what is asked for while it is done is done once more after, and not at the same time', async () => {
  const ends: (() => void)[] = [];
  const work = new OnceMore(() => new Promise<void>((done) => void ends.push(done)));
  const first = work.ask();
  expect([ends.length, work.asked]).toEqual([1, false]);
  const later = [work.ask(), work.ask()];
  expect([ends.length, work.asked]).toEqual([1, true]);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await Promise.all([first, ...later]);
  expect([ends.length, work.asked]).toEqual([2, false]);
  void work.ask();
  expect(ends.length).toBe(3);
});
