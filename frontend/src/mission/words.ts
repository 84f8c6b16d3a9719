// What Mission Control says of an agent, in few words.
import type { beckon } from '../bridge';
import { duration } from '../i18n/format';
import { t, type MessageKey } from '../i18n/index.svelte';
import { agentSays, alive, stopped } from '../state';
import { oneLine } from '../text/plain';

/** A command that takes longer says how long. */
const longAfterMs = 15_000;

/** askWords says what a pane's agent wants, for its name. */
export function askWords(question: beckon.Question): string {
  if (question.kind === 'permission') return t('mission.asksPermission');
  return t(question.kind === 'plan' ? 'mission.planReady' : 'mission.needsYou');
}

/** stateWords says how a pane's agent stands, for its name. */
export function stateWords(
  task: beckon.Task,
  run: beckon.Run | undefined,
  question: beckon.Question | undefined,
): string {
  if (question) return askWords(question);
  if (alive(run)) return t(run?.phase === 'idle' ? 'mission.yourTurn' : 'mission.running');
  if (stopped(task, run)) return t('mission.stopped');
  if (task.status === 'queued') return t('mission.queued');
  return t(task.status === 'review' ? 'mission.ready' : 'mission.ended');
}

/** doing says what a live agent is at: "editing", "go test, 38 s". */
export function doing(run: beckon.Run, now: number): string {
  if (run.phase === 'starting') return t('mission.starting');
  if (run.phase === 'saving') return t('mission.saving');
  if (run.phase === 'idle') return t('mission.yourTurn');
  const { verb, target, since } = run.activity;
  const agent = agentSays(run.agent);
  if (verb === '') return t('mission.does_waiting', { agent });
  const what =
    verb === 'executing' && target !== ''
      ? commandName(target)
      : t(`mission.does_${verb}` as MessageKey, { agent });
  const takes = (verb === 'executing' || verb === 'background') && since > 0 ? now - since : 0;
  return takes > longAfterMs ? t('mission.doesFor', { what, time: duration(takes) }) : what;
}

/** commandName is a command by its first two words, without their paths. */
export function commandName(command: string): string {
  const words = oneLine(command)
    .split(' ')
    .filter((word) => !/^\w+=/.test(word))
    .slice(0, 2);
  return words
    .map((word, i) => (i === 0 ? (word.split('/').at(-1) ?? word) : word))
    .join(' ')
    .slice(0, 28);
}

/** aboutWords is what a question is about, for a chip. */
export function aboutWords(question: beckon.Question): string {
  if (question.kind === 'permission') return t('mission.allow');
  if (question.kind === 'plan') return t('mission.plan');
  if (question.kind === 'elicitation') return t('mission.form');
  return oneLine((question.items[0]?.header ?? '').slice(0, 40)) || t('mission.question');
}

/** roughly is how long an agent is at it, in minutes or hours. */
export function roughly(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  return minutes < 60
    ? t('mission.minutes', { n: minutes })
    : t('mission.hours', { n: Math.floor(minutes / 60) });
}
