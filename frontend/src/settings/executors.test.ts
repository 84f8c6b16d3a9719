import { afterEach, expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { setLanguage } from '../i18n/index.svelte';
import '../i18n/screens';
import { store } from '../state';
import { foundOf, healthOf, nameFor, workersOn } from './executors';

const now = new Date(2026, 4, 3, 14, 6).getTime();
const at = (hours: number, minutes: number) => new Date(2026, 4, 3, hours, minutes).getTime();

type Known = Partial<Omit<beckon.ExecutorStatus['health'], 'found'>> & {
  found?: Partial<beckon.ExecutorStatus['health']['found']>;
};

function status({ found, ...more }: Known, host = 'farm'): beckon.ExecutorStatus {
  return {
    executor: {
      id: 'f',
      name: 'farm',
      kind: 'ssh',
      host,
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
    },
    health: {
      state: 'ready',
      since: 0,
      seen: 0,
      answer: 0,
      ...more,
      found: {
        system: '',
        arch: '',
        user: '',
        claude: '',
        git: '',
        free: 0,
        login: 'unknown',
        ...found,
      },
    },
  };
}

afterEach(() => {
  for (const table of [store.runs, store.tasks])
    for (const id of [...table.keys()]) table.delete(id);
  return setLanguage('en', '');
});

test('one that answers says how fast, when, and what room is left', () => {
  const ready = status({ answer: 14, seen: now - 5000, found: { free: 1.4e12 } });
  expect(healthOf(ready, now)).toEqual({
    mark: '',
    tone: 't-ok',
    words: 'Healthy, 14 ms',
    more: 'seen now, 1.4 TB free',
    why: '',
  });
  expect(healthOf(status({ seen: at(13, 2), found: { free: 212e9 } }), now)).toMatchObject({
    words: 'Healthy',
    more: 'seen 13:02, 212 GB free',
  });
});

test('one whose link is lost says since when, and who keeps working', () => {
  const run = (id: string, taskId: string, executor: string, phase: beckon.Phase) =>
    store.runs.set(id, { id, taskId, executor, phase, kind: 'task' } as beckon.Run);
  for (const key of ['KES-50', 'KES-51', 'KES-52'])
    store.tasks.set(key, { id: key, key } as beckon.Task);
  const lost = status({ state: 'lost', since: at(14, 2), seen: at(14, 1) });
  expect(healthOf(lost, now)).toMatchObject({
    mark: 'lost',
    words: 'Link lost 14:02',
    more: 'seen 14:01',
  });
  run('a', 'KES-50', 'f', 'working');
  run('b', 'KES-52', 'f', 'ended');
  run('c', 'KES-52', '', 'working');
  expect(workersOn('f').map((task) => task.key)).toEqual(['KES-50']);
  expect(healthOf(lost, now).more).toBe('KES-50 keeps working');
  run('d', 'KES-51', 'f', 'asking');
  expect(healthOf(lost, now).more).toBe('KES-50, KES-51 keep working');
});

test('one that asks says so, however it was found before', () => {
  const ask = {
    id: 'a',
    kind: 'hostKey',
    since: now,
    again: false,
    host: 'farm',
    address: '',
    key: 'ED25519',
    fingerprint: 'SHA256:x',
    known: [],
    file: '',
    words: [],
  } as const;
  expect(
    healthOf(
      status({
        state: 'failed',
        why: { code: '', said: 'x' },
        ask: { ...ask, known: [], words: [] },
      }),
      now,
    ),
  ).toEqual({ mark: 'wait', tone: '', words: 'Asks something', more: '', why: '' });
});

test('one that cannot be used says why in the language of the page', async () => {
  const failed = status({
    state: 'failed',
    why: { code: 'claudeThere' },
  });
  expect(healthOf(failed, now)).toMatchObject({
    words: 'Can’t be used',
    why: 'Claude was not found there; install it there with npm install -g @anthropic-ai/claude-code',
  });
  await setLanguage('de', '');
  expect(healthOf(failed, now).why).toMatch(/^Claude wurde dort nicht gefunden/);
});

test('what was found is said once, and nothing of what is not known', () => {
  const found = { user: 'mira', system: 'Linux', claude: '2.1.197' };
  expect(foundOf(status({ found: { ...found, login: 'in' } }))).toBe(
    'as mira, Linux, Claude 2.1.197, signed in',
  );
  expect(foundOf(status({ found: { ...found, login: 'out' } }, 'mira@farm.lan'))).toBe(
    'Linux, Claude 2.1.197, not signed in',
  );
  expect(foundOf(status({ found }, 'mira@farm.lan'))).toBe(
    'Linux, Claude 2.1.197, sign-in not known',
  );
  expect(foundOf(status({}))).toBe('');
});

test('a host names its executor in short', () => {
  expect(['mira@build-01.lan', 'gpu-box', ' farm ', '10.0.0.7', ''].map(nameFor)).toEqual([
    'build-01',
    'gpu-box',
    'farm',
    '10.0.0.7',
    '',
  ]);
});
