import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  countKinds,
  groupsOf,
  homeOf,
  retentionOf,
  kindOf,
  matching,
  pastOf,
  sessionsOf,
} from './list';

const day = 86_400_000;
const none = new Set<string>();
const now = new Date(2026, 10, 21, 15).getTime();
const task = (over: Partial<beckon.Task>) =>
  ({
    id: 'a',
    key: 'KES-1',
    title: 'Merge shards',
    projectId: 'p',
    status: 'archived',
    resolution: '',
    restoresTo: 'review',
    branch: '',
    session: '',
    keptRef: 'refs/beckon/discarded/kes-1/1',
    keptUntil: 0,
    landed: { way: '', commit: '', at: 0 },
    updated: now,
    ...over,
  }) as beckon.Task;

test('an archived task is one of three kinds, and a merged one is simply archived', () => {
  const list = (['', 'merged', 'closed', 'discarded'] as const).map((resolution) =>
    task({ resolution }),
  );
  expect(list.map(kindOf)).toEqual(['archived', 'archived', 'closed', 'discarded']);
  expect(countKinds(list)).toEqual({ archived: 2, closed: 1, discarded: 1 });
});

test('a task is found by its key, its title and its project, in any order and case', () => {
  const list = [task({}), task({ id: 'b', key: 'ORC-7', title: 'Try Drizzle' })];
  const found = (text: string) =>
    matching(list, text, (one) => (one.id === 'a' ? 'kestrel' : 'orchard')).map((one) => one.key);
  expect(found('')).toEqual(['KES-1', 'ORC-7']);
  expect(found('kes-1')).toEqual(['KES-1']);
  expect(found(' SHARDS  merge')).toEqual(['KES-1']);
  expect(found('orchard try')).toEqual(['ORC-7']);
  expect(found('shards try')).toEqual([]);
});

test('tasks stand under the day they went, and those beyond the limit are counted', () => {
  const at = [
    now,
    new Date(2026, 10, 21, 0).getTime(),
    new Date(2026, 10, 20, 23, 59).getTime(),
    now - 6 * day,
    now - 7 * day,
  ];
  const list = at.map((updated, i) => task({ id: String(i), updated }));
  const shape = (limit: number) =>
    groupsOf(list, now, limit).map((group) => [group.when, group.count, group.tasks.length]);
  expect(shape(10)).toEqual([
    ['today', 2, 2],
    ['week', 2, 2],
    ['earlier', 1, 1],
  ]);
  expect(shape(3)).toEqual([
    ['today', 2, 2],
    ['week', 2, 1],
  ]);
});

test('only discarded work ends, and its last three days stand out', () => {
  const left = (ms: number) =>
    retentionOf(task({ resolution: 'discarded', keptUntil: now + ms }), now, none);
  expect(left(30 * day)).toEqual({ word: 'keptDays', days: 30 });
  expect(left(3 * day + 1)).toEqual({ word: 'keptDays', days: 4 });
  expect(left(3 * day)).toEqual({ word: 'daysLeft', days: 3 });
  expect(left(1)).toEqual({ word: 'daysLeft', days: 1 });
  expect(left(0).word).toBe('keptPast');
  expect(
    retentionOf(task({ resolution: 'discarded', keptUntil: now + day }), now, new Set(['a'])).word,
    'whatever its day',
  ).toBe('keptGone');
  expect(
    retentionOf(task({ resolution: 'discarded', keptRef: '', keptUntil: now + day }), now, none)
      .word,
  ).toBe('keptGone');
  expect(retentionOf(task({ resolution: 'merged' }), now, none).word).toBe('keptGood');
  expect(retentionOf(task({ resolution: 'closed', branch: 'beckon/kes-1' }), now, none).word).toBe(
    'keptBranch',
  );
  expect(retentionOf(task({ resolution: 'closed' }), now, none).word).toBe('keptNoBranch');
});

test('a card whose discarded work is gone comes back to the backlog, any other to where Beckon says', () => {
  expect(homeOf(task({ restoresTo: 'done', resolution: 'merged' }), now, none)).toBe('done');
  expect(
    homeOf(
      task({ restoresTo: 'review', resolution: 'discarded', keptUntil: now + day }),
      now,
      none,
    ),
  ).toBe('review');
  expect(
    homeOf(
      task({ restoresTo: 'review', resolution: 'discarded', keptUntil: now - day }),
      now,
      none,
    ),
  ).toBe('review');
  expect(
    homeOf(task({ restoresTo: 'review', resolution: 'discarded', keptRef: '' }), now, none),
  ).toBe('backlog');
});

test('the past of a task begins with its end, and has its last runs', () => {
  const runs = Array.from(
    { length: 8 },
    (_, i) =>
      ({
        id: `r${i + 1}`,
        number: i + 1,
        session: i < 2 ? 's1' : i === 7 ? '' : 's2',
        started: i,
        ended: i === 7 ? 0 : i + 1,
      }) as beckon.Run,
  );
  const { list, more } = pastOf(task({ created: 0 }), runs);
  expect(list.map((one) => one.run?.number ?? one.what)).toEqual([
    'went',
    8,
    7,
    6,
    5,
    4,
    3,
    'made',
  ]);
  expect(
    [list[1]!.at, list[2]!.at, more],
    'one that has not ended stands where it started',
  ).toEqual([7, 7, 2]);
  expect(pastOf(task({}), []).more).toBe(0);
  const landed = { way: 'squash' as beckon.MergeWay, commit: 'c0ffee', at: 9 };
  expect(
    pastOf(task({ resolution: 'merged', landed }), runs.slice(0, 1)).list.map((one) => one.what),
  ).toEqual(['went', 'merged', 'run', 'made']);
  expect(pastOf(task({ resolution: 'closed', landed }), []).list.map((one) => one.what)).toEqual([
    'went',
    'made',
  ]);
  expect(sessionsOf(runs)).toBe(2);
});
