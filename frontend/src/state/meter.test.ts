import { beforeEach, expect, test, vi } from 'vitest';
import { meter } from './meter';
import { store } from './store.svelte';

beforeEach(() => vi.restoreAllMocks());

test('the meter says who works, who asks and what is free', () => {
  vi.spyOn(store, 'slots', 'get').mockReturnValue(['ask', 'on', 'on', 'free']);
  expect(meter()).toMatchObject({ used: '3', title: '2 at work, 1 asking, 1 free' });
});
