import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { icons } from './vite.icons.ts';
import { packages } from './vite.packages.ts';

// The policy that Beckon's own server sends. The preview sends it too, so that
// a page that breaks it is seen to break here.
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Passes on what a page of `make dev` asks of the real back end, under the back end's own name: it refuses any other. */
function backEnd(target: string | undefined): Record<string, ProxyOptions> {
  if (target === undefined) return {};
  const to: ProxyOptions = { target, changeOrigin: true, headers: { origin: target } };
  return { '/rpc': to, '/events': { ...to, ws: true }, '^/\\?token=': to };
}

/** What the bundler says of a module. */
type Ask = (id: string) => { importedIds: string[] } | null;

/** The modules that a page's first view takes, each with all that it imports; what is fetched later is in none of them. */
function firstOf(ask: Ask): Set<string> {
  const first = new Set([fileURLToPath(new URL('src/main.ts', import.meta.url))]);
  for (const id of first) ask(id)?.importedIds.forEach((imported) => first.add(imported));
  return first;
}

/** Puts them into one chunk: as many small ones as later chunks share with them are a request and a kilobyte of headers each. */
function oneFirstChunk(): {
  debugName: string;
  name: (id: string, context: { getModuleInfo: Ask }) => string | null;
} {
  let first: Set<string> | undefined;
  return {
    debugName: 'first',
    name: (id, modules) =>
      (first ??= firstOf((one) => modules.getModuleInfo(one))).has(id) ? 'first' : null,
  };
}

/** A declaration of a style sheet, as PostCSS has it. */
interface Declared {
  prop: string;
  value: string;
  parent?: unknown;
}

/** The smallest height that is a row's; what is lower is a sign. */
const leastRow = 18;

const inRem = (value: string) =>
  value.replace(/(?<![\w.-])(\d*\.?\d+)px/g, (_, px: string) => `${Number(px) / 16}rem`);

/** A row grows with its text, but what is pressed is never smaller than drawn. */
const atLeast = (value: string) => `max(${value}, ${inRem(value)})`;

/**
 * Writes sizes of text, and heights of what holds it, in rem, so that the text size that somebody
 * chose (ui/css/looks.css) scales them, while lines, gaps and signs stay as drawn.
 */
const textInRem = {
  postcssPlugin: 'text-in-rem',
  Declaration(declared: Declared) {
    const { prop, value } = declared;
    const rule = declared.parent as { selector?: string; nodes?: Declared[] };
    if (/^(font|font-size|line-height|--t-.*|--rail-w)$/.test(prop)) declared.value = inRem(value);
    if (/^--(hit|bar)$/.test(prop) && /^\d+px$/.test(value)) declared.value = atLeast(value);
    if (prop === 'width' && /^\d+px$/.test(value) && rule.selector?.includes('.icon'))
      declared.value = atLeast(value);
    if (
      !/^(min-)?height$/.test(prop) ||
      !/^\d+px$/.test(value) ||
      parseInt(value) < leastRow ||
      rule.selector?.includes('.switch')
    )
      return;
    for (const one of rule.nodes ?? [])
      if (/^(min-)?width$/.test(one.prop) && one.value === value) one.value = atLeast(value);
    declared.value = atLeast(value);
  },
};

export default defineConfig(({ mode }) => ({
  base: './',
  // The tests need Svelte's reactivity, which only its browser build has.
  plugins: [
    icons(),
    svelte(mode === 'test' ? { dynamicCompileOptions: () => ({ generate: 'client' }) } : {}),
    packages(),
  ],
  css: { postcss: { plugins: [textInRem] } },
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  build: {
    outDir: 'dist',
    target: ['es2022', 'safari16.2', 'chrome111'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [oneFirstChunk()] } } },
  },
  server: { host: '127.0.0.1', proxy: backEnd(process.env.BECKON_URL) },
  preview: { headers: { 'Content-Security-Policy': policy } },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/i18n/desk.ts', 'src/i18n/screens.ts'],
    environment: 'node',
    // Each file has modules of its own also in a thread, which begins sooner than a process. One
    // core is not kept free for a person who waits for none.
    pool: 'threads',
    maxWorkers: '100%',
    server: { deps: { inline: [/svelte/] } },
  },
}));
