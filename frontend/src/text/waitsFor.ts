// What a queued task waits for where its executor cannot be used.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { sentence } from '../state';
import { oneLine } from './plain';

/** Its trouble as a sentence that names the executor; empty where that is about something else. */
export function waitsFor(task: beckon.Task, { name }: beckon.Executor): string {
  if (task.status !== 'queued') return '';
  const shown = oneLine(name);
  if (task.trouble.startsWith(`${name} is being looked at`)) return t('words.executorLooked', { name: shown });
  if (task.trouble.startsWith(`${name}: `)) return t('words.waitsForExecutor', { name: shown, why: oneLine(sentence(task.trouble.slice(name.length + 2)).text) });
  return '';
}
