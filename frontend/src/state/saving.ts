import { api, type beckon } from '../bridge';
import { attempt } from './attempt';
import { store } from './store.svelte';
import { begin } from './unsaved';

let saved = Promise.resolve();

/**
 * Shows a change of the settings at once, and takes it back if it could not be kept. Saves
 * go out one after the other, each with all that was changed by then: else the one that
 * arrives last would take the others back. `instead` is what attempt has for errors.
 */
export function saveSettings(
  change: Partial<beckon.Settings>,
  instead?: Parameters<typeof attempt>[1],
): Promise<void> {
  const end = begin(change, store.settings);
  store.settings = { ...store.settings, ...change };
  saved = saved.then(async () => {
    const next = store.settings;
    const went = await attempt(() => api.saveSettings(next), instead);
    store.settings = end(went ? next : undefined);
  });
  return saved;
}

/** Changes a project, and shows it as it was kept. */
export async function saveProject(
  project: beckon.Project,
  change: Partial<beckon.Project>,
): Promise<void> {
  await attempt(async () => {
    const saved = await api.editProject({ ...project, ...change });
    store.projects.set(saved.id, saved);
  });
}
