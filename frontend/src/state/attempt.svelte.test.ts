// @vitest-environment jsdom
import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import { attempt } from './attempt';
import { store } from './store.svelte';

test('an effect that attempts does not do so again when Beckon goes away', () => {
  store.connection = 'open';
  let tries = 0;
  const end = $effect.root(() => {
    $effect(() => void attempt(() => Promise.resolve(tries++)));
  });
  flushSync();
  store.connection = 'lost';
  flushSync();
  expect(tries).toBe(1);
  end();
});
