import { expect, test } from 'vitest';
import { Sizes } from './sizes';

const turn = () => new Promise((done) => setTimeout(done));

test('one size is on its way at a time, and then the newest', async () => {
  const told: number[] = [];
  const back: ((failed: boolean) => void)[] = [];
  const sizes = new Sizes((size) => {
    told.push(size.cols);
    return new Promise<void>((done, fail) => {
      back.push((failed) => (failed ? fail(new Error('lost')) : done()));
    });
  });
  for (const cols of [80, 81, 82]) void sizes.set({ cols, rows: 24 });
  expect(told).toEqual([80]);
  back.shift()!(false);
  await turn();
  expect(told).toEqual([80, 82]);
  back.shift()!(true);
  await turn();
  void sizes.set({ cols: 82, rows: 24 });
  expect(told, 'one that was lost is sent again').toEqual([80, 82, 82]);
  back.shift()!(false);
  await turn();
  void sizes.set({ cols: 82, rows: 24 });
  expect(told, 'one that it has is not').toEqual([80, 82, 82]);
});
