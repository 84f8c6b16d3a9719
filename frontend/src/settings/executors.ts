// What is said of an executor, and what is done with it.
import { api, type beckon } from '../bridge';
import { moment, room } from '../i18n/format';
import { parts, t, type Part } from '../i18n/index.svelte';
import { said } from '../i18n/reason';
import { alive, attempt, store } from '../state';
import { oneLine } from '../text/plain';

/** Who was heard so shortly ago is here now. */
const nowMs = 60_000;

/** What stands in the health of an executor: its mark, its words and what else is known. */
export interface Health {
  mark: '' | 'lost' | 'wait';
  tone: '' | 't-ok' | 't-bad';
  words: string;
  more: string;
  /** Why it cannot be used, and what to do. */
  why: string;
}

export function healthOf({ executor, health }: beckon.ExecutorStatus, now: number): Health {
  const seen =
    health.seen === 0
      ? ''
      : t(now - health.seen < nowMs ? 'executors.seenNow' : 'executors.seen', {
          time: moment(health.seen, now),
        });
  if (health.ask)
    return { mark: 'wait', tone: '', words: t('executors.asks'), more: seen, why: '' };
  switch (health.state) {
    case 'ready':
      return {
        mark: '',
        tone: 't-ok',
        words:
          health.answer > 0
            ? t('executors.healthyIn', { ms: health.answer })
            : t('executors.healthy'),
        more: joined(seen, freeOf(health.found)),
        why: '',
      };
    case 'lost': {
      const keys = workersOn(executor.id).map((task) => task.key);
      const works =
        keys.length === 0
          ? seen
          : t('executors.keepWorking', { n: keys.length, keys: keys.join(', ') });
      return {
        mark: 'lost',
        tone: 't-bad',
        words: t('words.linkLost', { time: moment(health.since, now) }),
        more: works,
        why: '',
      };
    }
    case 'failed':
      return {
        mark: 'lost',
        tone: 't-bad',
        words: t('executors.failed'),
        more: seen,
        why: oneLine(said(health.why)),
      };
    case 'checking':
      return { mark: 'wait', tone: '', words: t('words.checking'), more: seen, why: '' };
    default:
      return { mark: 'wait', tone: '', words: t('executors.unknown'), more: '', why: '' };
  }
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');
const freeOf = ({ free }: beckon.ExecutorStatus['health']['found']) =>
  free > 0 ? t('executors.free', { room: room(free) }) : '';

/** How an executor is reached. */
export function whereOf(executor: beckon.Executor): Part[] {
  const { kind, host, image, namespace, queue, template } = executor;
  switch (kind) {
    case 'container':
      return parts(`executors.whereContainer_${executor.engine}`, {
        image: oneLine(image) || t('executors.devcontainer'),
      });
    case 'kubernetes':
      return parts(
        `executors.whereKubernetes${namespace === '' ? '' : 'Namespace'}${queue === '' ? '' : 'Queue'}`,
        { image: oneLine(template || image), namespace: oneLine(namespace), queue: oneLine(queue) },
      );
    case 'slurm':
      return host === ''
        ? parts('executors.whereSlurmHere', {})
        : parts('executors.whereSlurm', { host: oneLine(host) });
    default:
      return parts('executors.whereHost', { host: oneLine(host) });
  }
}

export const engineNames: Record<beckon.Executor['engine'], string> = {
  podman: 'Podman',
  docker: 'Docker',
};

/** What was found there, behind how it is reached. */
export function foundOf({ executor, health: { found } }: beckon.ExecutorStatus): string {
  const user =
    executor.host.includes('@') || found.user === '' || executor.kind === 'container'
      ? ''
      : t('executors.as', { user: oneLine(found.user) });
  const net =
    executor.kind === 'container' && executor.network === 'api' ? t('executors.onlyApi') : '';
  const claude =
    found.claude &&
    joined(
      t('executors.claude', { version: oneLine(found.claude) }),
      t(`executors.login_${found.login}`),
    );
  return joined(user, oneLine(found.system), claude, net);
}

/** The tasks whose agents live on an executor. */
export function workersOn(id: string): beckon.Task[] {
  return store.runs
    .values()
    .filter((run) => run.executor === id && alive(run))
    .flatMap((run) => store.tasks.get(run.taskId) ?? []);
}

/** What an executor is called by its host, until somebody names it: build-01 for mira@build-01.lan. */
export function nameFor(host: string): string {
  const name = host.trim().split('@').at(-1)!;
  const short = /^[\d.]+$/.test(name) ? name : name.split('.')[0]!;
  return short.slice(0, 40);
}

export function check(id: string): void {
  void attempt(() => api.checkExecutor(id));
}

/** An executor that is not there yet: it has no id. */
export const blank = (kind: beckon.Executor['kind']): beckon.Executor => ({
  id: '',
  name: '',
  kind,
  host: '',
  slots: 4,
  created: 0,
  variables: [],
  kept: [],
  engine: 'podman',
  image: '',
  network: 'engine',
  options: '',
  context: '',
  namespace: '',
  template: '',
  queue: '',
  secret: '',
});
