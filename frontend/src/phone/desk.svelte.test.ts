import { expect, test, vi } from 'vitest';
import { desk } from './desk.svelte';
import { forgetAll } from './kept';

test('a browser that was never paired asks Beckon nothing, which would count as an attempt', async () => {
  vi.useFakeTimers(); // it would try again
  const fetched = vi.fn(() => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('fetch', fetched);
  await desk.look();
  expect(fetched).not.toHaveBeenCalled();
  expect([desk.me, desk.link, desk.removed]).toEqual([null, 'open', false]);

  desk.pair({
    key: 'k',
    name: 'Pixel 9',
    confirmed: false,
    host: '',
    push: false,
    rights: {
      questions: false,
      plans: false,
      commands: false,
      steer: false,
      elsewhere: false,
      lines: false,
    },
  });
  await desk.look();
  expect(fetched).toHaveBeenCalledOnce();
  expect(desk.me?.name, 'one that is out of reach stays paired').toBe('Pixel 9');
  forgetAll();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
