import type { Snippet } from 'svelte';

/** What lies below the bar of every page: UnderBar shows it. */
export const under = $state<{ bar: Snippet | undefined }>({ bar: undefined });
