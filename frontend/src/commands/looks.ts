// How the page looks, from everywhere.

import Palette from '@lucide/svelte/icons/palette';
import { t } from '../i18n/index.svelte';
import { store, type Command } from '../state';
import { appearance, setTextSize, textSizes } from '../state/appearance';
import { drawnText } from '../ui/narrow.svelte';

/** A command for each way the page could look and does not. */
export function lookCommands(): Command[] {
  const size = store.settings.looks.textSize || drawnText;
  const sizes = [
    { label: t('settings.smaller'), to: size - 1 },
    { label: t('settings.larger'), to: size + 1 },
  ].filter(({ to }) => to >= textSizes.min && to <= textSizes.max);
  return [
    ...Object.values(appearance()).flatMap(({ name, value, options, choose }) =>
      options
        .filter((one) => one.value !== value)
        .map((one) => ({
          label: `${name}: ${one.label}`,
          icon: Palette,
          run: () => choose(one.value),
        })),
    ),
    ...sizes.map(({ label, to }) => ({
      label: `${t('settings.textSize')}: ${label}`,
      icon: Palette,
      run: () => setTextSize(to),
    })),
  ];
}
