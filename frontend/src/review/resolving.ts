import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { agentSays, attempt } from '../state';
import { oneLine } from '../text/plain';
import { toasts } from '../ui/toasts.svelte';

/** What conflicts: files of one repository, with its base. */
export interface InConflict {
  /** The name of the repository, where the task has several. */
  name?: string | undefined;
  base: string;
  files: string[];
}

/** As many files are named; the brief for the agent has a limit too. */
const mostNamed = 100;

/** Gives conflicts to the task's agent. */
export async function resolveByAgent(
  task: beckon.Task,
  { name, base, files }: InConflict,
): Promise<void> {
  const named = files
    .slice(0, mostNamed)
    .map((file) => `- ${file}`)
    .join('\n');
  const brief =
    name === undefined
      ? t('review.resolveBrief', { base, files: named })
      : t('repositories.resolveBrief', { name: oneLine(name), base, files: named });
  if (await attempt(() => api.sendBack(task.id, brief)))
    toasts.show(t('review.resolving', { agent: agentSays(task.agent), key: task.key }), {
      tone: 'ok',
    });
}
