// @vitest-environment jsdom
import { mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';

vi.mock('../bridge', () => ({ api: {}, asBeckonError: (e: unknown) => e }));
const LinkLine = (await import('./LinkLine.svelte')).default;

const run = (more: Partial<beckon.Run>) =>
  ({
    id: 'r',
    phase: 'working',
    waits: { for: '' },
    linkLost: 0,
    quiet: 0,
    ...more,
  }) as beckon.Run;

afterEach(() => {
  document.body.innerHTML = '';
});

test('a card says since when nothing is heard of its agent', () => {
  const said = (more: Partial<beckon.Run>) => {
    const shown = mount(LinkLine, { target: document.body, props: { run: run(more) } });
    const text = document.body.textContent?.trim();
    void unmount(shown);
    return text;
  };
  expect(said({ quiet: Date.now() - 150_000 })).toMatch(/^Quiet since .*\d\d:\d\d/);
  expect(said({})).toBe('');
  expect(said({ quiet: Date.now(), phase: 'ended' })).toBe('');
});
