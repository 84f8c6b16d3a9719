// What a link to a pull request or an issue brings into a new task.

import '../i18n/screens';
import { api, type beckon } from '../bridge';
import { briefOf } from './starting.svelte';

/** Asks the project's server for what a link names. */
export async function bringLink(
  projectId: string,
  link: string,
): Promise<{ start: beckon.Start; title: string; brief: string }> {
  const item = await api.findOnForge(projectId, link);
  return { start: item.start, title: item.title, brief: briefOf(item, true) };
}
