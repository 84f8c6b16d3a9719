// Colours for code, loaded when the first code is shown. Pieces of text with
// a class, never HTML.

import type { HLJSApi, LanguageFn } from 'highlight.js';

/** Piece is a run of characters of one colour. */
export interface Piece {
  text: string;
  cls: '' | 'k' | 'q1' | 'n' | 'f' | 'cm';
  mark?: boolean;
}

type Load = () => Promise<{ default: LanguageFn }>;

const loads: Record<string, Load> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  css: () => import('highlight.js/lib/languages/css'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  json: () => import('highlight.js/lib/languages/json'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  python: () => import('highlight.js/lib/languages/python'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
  c: () => import('highlight.js/lib/languages/c'),
};

const names: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  scss: 'css',
  mod: 'go',
  kt: 'java',
  jsonc: 'json',
  md: 'markdown',
  py: 'python',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  js: 'typescript',
  jsx: 'typescript',
  mjs: 'typescript',
  cjs: 'typescript',
  javascript: 'typescript',
  html: 'xml',
  svg: 'xml',
  svelte: 'xml',
  vue: 'xml',
  yml: 'yaml',
  toml: 'yaml',
  h: 'c',
  cpp: 'c',
  cc: 'c',
  hpp: 'c',
};

/** languageOf returns the language of a file name or a fence's word, or "". */
export function languageOf(name: string): string {
  const word = (name.split(/[/\\]/).pop() ?? '').split('.').pop()?.toLowerCase() ?? '';
  const known = names[word] ?? word;
  return Object.hasOwn(loads, known) ? known : '';
}

let core: Promise<HLJSApi> | undefined;
const ready = new Map<string, HLJSApi>();
const loading = new Map<string, Promise<void>>();

/** loadLanguage makes a language known to pieces; it loads once. */
export function loadLanguage(language: string): Promise<void> {
  const load = loads[language];
  if (!load || ready.has(language)) return Promise.resolve();
  let promise = loading.get(language);
  if (!promise) {
    core ??= import('highlight.js/lib/core').then((m) => m.default);
    promise = Promise.all([core, load()]).then(([hljs, fn]) => {
      hljs.registerLanguage(language, fn.default);
      ready.set(language, hljs);
    });
    loading.set(language, promise);
  }
  return promise;
}

/** isLoaded reports whether code of a language gets its colours at once. */
export function isLoaded(language: string): boolean {
  return ready.has(language) || !loads[language];
}

const waiting = new Set<() => void>();
/** As long is worked at a time, in milliseconds; between two times the page answers keys and the wheel. */
const sliceMs = 6;

/** whenFree does some work once the page has nothing else to do, unless what it returns is called before. */
export function whenFree(work: () => void): () => void {
  if (waiting.size === 0) setTimeout(workOn);
  waiting.add(work);
  return () => waiting.delete(work);
}

function workOn(): void {
  const began = performance.now();
  for (const work of waiting) {
    waiting.delete(work);
    work();
    if (performance.now() - began >= sliceMs) break;
  }
  if (waiting.size > 0) setTimeout(workOn);
}

const classes: [RegExp, Piece['cls']][] = [
  [/comment|quote/, 'cm'],
  [/string|regexp|char|link|symbol/, 'q1'],
  [/number|literal/, 'n'],
  [/title|section|attr|name|selector/, 'f'],
  [/keyword|built_in|type|tag|meta|doctag/, 'k'],
];

function classOf(scope: string): Piece['cls'] {
  return classes.find(([pattern]) => pattern.test(scope))?.[1] ?? '';
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

// Longer lines are data or minified; colouring them would hold up the page.
const longest = 1000;

/**
 * pieces colours code. Where the language is unknown or not loaded, it is one
 * piece without colour.
 */
export function pieces(code: string, language: string): Piece[] {
  const hljs = ready.get(language);
  if (!hljs || code.length > (code.includes('\n') ? 64 * longest : longest))
    return code ? [{ text: code, cls: '' }] : [];
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  const list: Piece[] = [];
  const open: Piece['cls'][] = [];
  // The value has only spans with a class, and text with five entities.
  for (const [part, scope] of value.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (scope !== undefined) open.push(classOf(scope) || (open.at(-1) ?? ''));
    else if (part === '</span>') open.pop();
    else
      list.push({
        text: part.replace(/&(amp|lt|gt|quot|#x27);/g, (_, e: string) => entities[e] ?? ''),
        cls: open.at(-1) ?? '',
      });
  }
  return list;
}

/** withMark splits pieces so that the characters from and to are marked. */
export function withMark(list: Piece[], mark: [number, number] | null): Piece[] {
  if (!mark || mark[0] >= mark[1]) return list;
  const out: Piece[] = [];
  let at = 0;
  for (const piece of list) {
    const end = at + piece.text.length;
    const cuts = [
      at,
      Math.min(Math.max(mark[0], at), end),
      Math.min(Math.max(mark[1], at), end),
      end,
    ];
    for (let i = 0; i < 3; i++) {
      const text = piece.text.slice((cuts[i] ?? 0) - at, (cuts[i + 1] ?? 0) - at);
      if (text) out.push({ text, cls: piece.cls, mark: i === 1 });
    }
    at = end;
  }
  return out;
}
