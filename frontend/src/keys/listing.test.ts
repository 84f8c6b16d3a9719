import { expect, test } from 'vitest';
import { t } from '../i18n/index.svelte';
import { drawn, listed, places, titles } from './listing';

/** What docs/KEYS.md says; `npx vitest run src/keys -u` writes it. */
function page(): string {
  const keys = (of: readonly string[]) =>
    drawn(of)
      .map(
        ({ caps, upTo }) => `${upTo ? '– ' : ''}${caps.map((cap) => `\`${cap}\``).join(' then ')}`,
      )
      .join(', ')
      .replaceAll(', –', ' –');
  const tables = places.map((place) => {
    const rows = listed(place, true).map(
      (row) => `| ${keys(row.keys)} | ${t(row.does)}${row.window ? ' (in the window only)' : ''} |`,
    );
    return [`## ${t(titles[place])}`, '', '| Keys | What they do |', '|---|---|', ...rows].join(
      '\n',
    );
  });
  const head = [
    '# Keys',
    '',
    'Made from `frontend/src/state/keymap.ts`, which is also what hears keys and what the page lists.',
    'Mod is ⌘ on macOS and Ctrl elsewhere. A key acts in the innermost place that knows it: a question before its card, a card before the board. Single keys rest while you type, and Settings, Keyboard keeps them to what has the focus, and takes other keys in place of most of these.',
  ];
  return [head.join('\n'), ...tables].join('\n\n') + '\n';
}

test('docs/KEYS.md lists the keys that there are', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/KEYS.md');
});

test('digits in a row are drawn as the first and the last', () => {
  expect(drawn(['Mod 1', 'Mod 2', 'Mod 3', 'G>1', 'G>2', 'G>3'])).toEqual([
    { caps: ['Mod 1'], upTo: false },
    { caps: ['Mod 3'], upTo: true },
    { caps: ['G', '1'], upTo: false },
    { caps: ['G', '3'], upTo: true },
  ]);
});

test('a key of the window is not promised in a browser', () => {
  const ids = (window: boolean) => listed('everywhere', window).map((row) => row.id);
  expect([ids(true).includes('quit'), ids(false).includes('quit')]).toEqual([true, false]);
});
