// What a queued task waits for where its executor cannot be used.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { sentence } from '../state';
import { oneLine } from './plain';

/** Its trouble as a sentence that names the executor; empty where that is about something else. */
export function waitsFor(task: beckon.Task, { executor, health }: beckon.ExecutorStatus): string {
  if (task.status !== 'queued') return '';
  const name = oneLine(executor.name);
  if (task.trouble.startsWith(`${executor.name} is being looked at`))
    return t('words.executorLooked', { name });
  if (task.trouble.startsWith(`${executor.name} asks something`))
    return t('words.executorAsks', { name });
  // It may have had another name when that was said.
  const same = health.problem !== '' && task.trouble.includes(`: ${health.problem}`);
  const why = same
    ? health.problem
    : task.trouble.startsWith(`${executor.name}: `)
      ? task.trouble.slice(executor.name.length + 2)
      : '';
  return why && t('words.waitsForExecutor', { name, why: oneLine(sentence(why).text) });
}
