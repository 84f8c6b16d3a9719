import { api, type beckon } from '../bridge';
import { attempt } from './attempt';
import { store } from './store.svelte';

/** Shows a change of the settings at once, and takes it back if it could not be kept. */
export async function saveSettings(change: Partial<beckon.Settings>): Promise<void> {
  const before = store.settings;
  const next = { ...before, ...change };
  store.settings = next;
  const went = await attempt(() => api.saveSettings(next));
  if (!went && store.settings === next) store.settings = before;
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
