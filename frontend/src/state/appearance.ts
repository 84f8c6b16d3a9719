// How the page looks: what can be chosen, for the settings and for the palette.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { drawnText } from '../ui/narrow.svelte';
import { saveSettings } from './saving';
import { store } from './store.svelte';

/** How far the text size goes, in pixels. */
export const textSizes = { min: 12, max: 20 } as const;

/** Something about the looks that is one of a few, or on or off. */
export interface Look {
  name: string;
  /** What more is to be known. */
  text?: string;
  value: string;
  options: { value: string; label: string }[];
  choose: (value: string) => void;
}

type Looks = beckon.Settings['looks'];

function change(part: Partial<Looks>): void {
  void saveSettings({ looks: { ...store.settings.looks, ...part } });
}

/** Sets the text size; the design's own is kept as none. */
export function setTextSize(size: number): void {
  change({ textSize: size === drawnText ? 0 : size });
}

/** All of them as they are now, by what they are about. */
export function appearance(): Record<
  'theme' | 'density' | 'codeFont' | 'contrast' | 'motion',
  Look
> {
  const { looks, theme } = store.settings;
  const system = { value: '', label: t('settings.system') };
  return {
    theme: {
      name: t('settings.theme'),
      value: theme,
      options: [
        system,
        { value: 'light', label: t('settings.light') },
        { value: 'dark', label: t('settings.dark') },
      ],
      choose: (to) => void saveSettings({ theme: to }),
    },
    density: {
      name: t('settings.density'),
      text: t('settings.densityText'),
      value: looks.density,
      options: [
        { value: '', label: t('settings.compact') },
        { value: 'comfortable', label: t('settings.comfortable') },
      ],
      choose: (density) => change({ density }),
    },
    codeFont: {
      name: t('settings.codeFont'),
      value: looks.codeFont,
      options: [
        { value: '', label: 'JetBrains Mono' },
        { ...system, value: 'system' },
      ],
      choose: (codeFont) => change({ codeFont }),
    },
    contrast: {
      name: t('settings.contrast'),
      text: t('settings.contrastText'),
      value: looks.contrast,
      options: [system, { value: 'more', label: t('settings.moreContrast') }],
      choose: (contrast) => change({ contrast }),
    },
    motion: {
      name: t('settings.motion'),
      text: t('settings.motionText'),
      value: looks.motion,
      options: [system, { value: 'off', label: t('settings.off') }],
      choose: (motion) => change({ motion }),
    },
  };
}
