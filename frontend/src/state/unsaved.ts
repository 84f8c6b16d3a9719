// What was changed of the settings here and is not known to be kept.
import type { beckon } from '../bridge';

let changed: Partial<beckon.Settings> = {};
let saves = 0;
/** The settings as they were kept last, as far as is known. */
let kept: beckon.Settings;

/** begin notes a change of the settings that are shown, and returns what ends its save: with those that it kept, or nothing where it failed. That returns the settings to show. */
export function begin(
  change: Partial<beckon.Settings>,
  shown: beckon.Settings,
): (now?: beckon.Settings) => beckon.Settings {
  if (saves++ === 0) kept = shown;
  changed = { ...changed, ...change };
  return (now) => {
    kept = now ?? kept;
    if (--saves === 0) changed = {};
    return { ...kept, ...changed };
  };
}

/** withUnsaved is the settings as an event has them, which may be of an earlier save. */
export function withUnsaved(settings: beckon.Settings): beckon.Settings {
  kept = settings;
  return { ...kept, ...changed };
}
