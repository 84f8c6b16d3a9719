import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { duration } from '../i18n/format';
import { leftMs } from '../question/clock';
import { subjectOf } from '../question/words';
import { clock, store } from '../state';
import { oneLine } from '../text/plain';
import { announcer } from '../ui/announcer.svelte';
import { toasts } from '../ui/toasts.svelte';
import { passed } from './countdown';

/**
 * Says what changed to those who do not see the board: a new question and how
 * its clock runs out, a task that is ready, a run that stopped. What was there
 * before the page is not news.
 */
export function announceChanges(): void {
  let asked: Set<string> | undefined;
  let sshAsked: Set<string> | undefined;
  let busy: Set<string> | undefined;
  let live: Set<string> | undefined;

  $effect(() => {
    if (!store.ready) return;
    const news = store.waiting.filter((question) => asked !== undefined && !asked.has(question.id));
    asked = new Set(store.waiting.map((question) => question.id));
    for (const question of news) announcer.say(describe(question));
  });

  $effect(() => {
    if (!store.ready) return;
    for (const { id, executor } of store.asks)
      if (sshAsked !== undefined && !sshAsked.has(id))
        announcer.say(t('app.sshAsks', { name: oneLine(executor.name) }));
    sshAsked = new Set(store.asks.map(({ id }) => id));
  });

  $effect(() => {
    if (!store.ready) return;
    const now = new Set<string>();
    for (const task of store.tasks.values()) {
      // The card moves before its run is said to be over.
      const run = store.latestRuns.get(task.id);
      if (task.status === 'running' || (run !== undefined && run.phase !== 'ended'))
        now.add(task.id);
      else if (busy?.has(task.id) && task.status === 'review' && run?.outcome === 'succeeded')
        announcer.say(t('app.ready', { key: task.key }));
    }
    busy = now;
  });

  $effect(() => {
    if (!store.ready) return;
    const runs = store.runs.values();
    const bad = runs.filter(
      (run) => run.phase === 'ended' && ['failed', 'limited', 'lost'].includes(run.outcome),
    );
    for (const run of bad) {
      const key = store.tasks.get(run.taskId)?.key ?? '';
      if (live?.has(run.id)) announcer.interrupt(t('app.stoppedNow', { key }));
    }
    live = new Set(runs.filter((run) => run.phase !== 'ended').map((run) => run.id));
  });
}

/** Says when a question's time runs short, and when the agent continues without an answer. */
export function announceClocks(): void {
  let before = new Map<string, number>();

  $effect(() => {
    if (!store.ready) return;
    const now = new Map<string, number>();
    for (const question of store.waiting) {
      const left = question.heldMs > 0 ? null : leftMs(question, clock.now);
      if (left === null) continue;
      now.set(question.id, left);
      const mark = passed(before.get(question.id), left);
      if (mark !== undefined)
        announcer.say(t('app.clockAt', { key: keyOf(question), time: duration(mark) }));
    }
    for (const id of before.keys()) {
      const question = store.questions.get(id);
      if (question?.settlement === 'expired')
        announcer.say(t('app.ranOut', { key: keyOf(question) }));
    }
    before = now;
  });
}

function keyOf(question: beckon.Question): string {
  return store.tasks.get(question.taskId)?.key ?? question.origin;
}

function describe(question: beckon.Question): string {
  const left = leftMs(question, Date.now());
  const options = question.items.length === 1 ? question.items[0]!.options.length : 0;
  return [
    about(question),
    options > 0 ? t('app.options', { n: options }) : '',
    left !== null && question.heldMs === 0 ? t('app.timeLeft', { time: duration(left) }) : '',
  ]
    .filter(Boolean)
    .join('. ');
}

function about(question: beckon.Question): string {
  const key = keyOf(question);
  switch (question.kind) {
    case 'permission':
      return t('app.allowAsk', { key, tool: question.permission?.tool ?? '' });
    case 'plan':
      return t('app.planReady', { key });
    default:
      return t('app.asks', { key, text: subjectOf(question) });
  }
}

/** Says once that there is a newer version; Settings goes on saying so. */
export function announceRelease(): void {
  let known: string | undefined;

  $effect(() => {
    if (!store.ready) return;
    const { version } = store.release;
    if (version !== '' && known !== undefined && version !== known)
      toasts.show(t('app.updateToast', { version }), { ms: 12_000 });
    known = version;
  });
}
