// What was changed of the settings here and is not known to be kept.
import type { beckon } from '../bridge';

let changed: Partial<beckon.Settings> = {};
let saves = 0;

/** begin notes a change whose save begins, and returns what ends it. */
export function begin(change: Partial<beckon.Settings>): () => void {
  changed = { ...changed, ...change };
  saves++;
  return () => {
    if (--saves === 0) changed = {};
  };
}

/** withUnsaved is the settings as an event has them, which may be of an earlier save. */
export function withUnsaved(settings: beckon.Settings): beckon.Settings {
  return saves === 0 ? settings : { ...settings, ...changed };
}
