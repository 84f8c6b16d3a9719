// What a queued task waits for where its executor cannot be used.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { said } from '../i18n/reason';
import { oneLine } from './plain';

/** Its trouble as a sentence that names the executor; empty where that is about something else. */
export function waitsFor(task: beckon.Task, { executor, health }: beckon.ExecutorStatus): string {
  const trouble = task.why;
  if (task.status !== 'queued' || !trouble) return '';
  const name = oneLine(executor.name);
  const why = said(trouble.why);
  // It may have had another name when that was said.
  const same = trouble.args?.name === executor.name || (why !== '' && why === said(health.why));
  if (!same) return '';
  if (trouble.code === 'executorChecked') return t('words.executorLooked', { name });
  if (trouble.code === 'executorAsks') return t('words.executorAsks', { name });
  return trouble.code === 'executorFailed'
    ? t('words.waitsForExecutor', { name, why: oneLine(why) })
    : '';
}
