import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { subjectOf } from '../question/words';
import { store } from '../state';
import { announcer } from '../ui/announcer.svelte';

/**
 * Says what changed to those who do not see the board: a new question, a task
 * that is ready, a run that stopped. What was there before the page is not news.
 */
export function announceChanges(): void {
  let asked: Set<string> | undefined;
  let statuses: Map<string, beckon.Status> | undefined;
  let live: Set<string> | undefined;

  $effect(() => {
    if (!store.ready) return;
    const news = store.waiting.filter((question) => asked !== undefined && !asked.has(question.id));
    asked = new Set(store.waiting.map((question) => question.id));
    for (const question of news) announcer.say(describe(question));
  });

  $effect(() => {
    if (!store.ready) return;
    const tasks = store.tasks.values();
    for (const task of tasks) {
      if (statuses?.get(task.id) === 'running' && task.status === 'review') announcer.say(t('app.ready', { key: task.key }));
    }
    statuses = new Map(tasks.map((task) => [task.id, task.status]));
  });

  $effect(() => {
    if (!store.ready) return;
    const runs = store.runs.values();
    const bad = runs.filter((run) => run.phase === 'ended' && ['failed', 'limited', 'lost'].includes(run.outcome));
    for (const run of bad) {
      const key = store.tasks.get(run.taskId)?.key ?? '';
      if (live?.has(run.id)) announcer.interrupt(t('app.stoppedNow', { key }));
    }
    live = new Set(runs.filter((run) => run.phase !== 'ended').map((run) => run.id));
  });
}

function describe(question: beckon.Question): string {
  const key = store.tasks.get(question.taskId)?.key ?? question.origin;
  switch (question.kind) {
    case 'permission':
      return t('app.allowAsk', { key, tool: question.permission?.tool ?? '' });
    case 'plan':
      return t('app.planReady', { key });
    default:
      return t('app.asks', { key, text: subjectOf(question) });
  }
}
