import { saveSettings, store } from '../state';

/** How many tones there are; 0 is none. */
const tones = 5;

/** The number of the tone of a label's mark, 0 for none: the one that was chosen, or else one by its name. The same on every screen. */
export function toneOf(label: string): number {
  return Object.hasOwn(store.settings.labelTones, label)
    ? store.settings.labelTones[label]!
    : toneByName(label);
}

function toneByName(label: string): number {
  let sum = 0;
  for (const letter of label) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return sum % tones;
}

/** Gives a label the next tone, everywhere. */
export function nextTone(label: string): Promise<void> {
  const tone = (toneOf(label) + 1) % tones;
  return saveSettings({ labelTones: { ...store.settings.labelTones, [label]: tone } });
}
