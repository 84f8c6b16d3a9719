import { flushSync } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { api, type beckon } from '../bridge';
import { Store } from './store.svelte';

const question = (id: string, asked: number, settlement: beckon.Settlement) =>
  ({ id, taskId: 'a', asked, settlement }) as beckon.Question;
const entry = (pos: number): beckon.Entry => ({
  id: `e${pos}`,
  runId: 'r',
  pos,
  part: 0,
  kind: 'text',
  parent: '',
  text: '',
  notice: '',
  at: 0,
});
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.spyOn(api, 'watch').mockResolvedValue();
  vi.spyOn(api, 'runs').mockResolvedValue([{ id: 'r', taskId: 'a', number: 1 } as beckon.Run]);
  vi.spyOn(api, 'questions').mockResolvedValue([question('old', 1, 'answered')]);
  vi.spyOn(api, 'transcript').mockResolvedValue({
    taskId: 'a',
    before: '',
    after: '',
    entries: [entry(1)],
  });
});

async function attached(): Promise<Store> {
  const store = new Store();
  await store.attached('testpage');
  return store;
}

test('questions answered before the page was opened are shown, even to those who looked first', async () => {
  const store = await attached();
  let shown: string[] = [];
  const stop = $effect.root(() => {
    $effect(() => {
      shown = store.questionsOf('a').map((q) => q.id);
    });
  });
  flushSync();
  store.open('a');
  store.questions.set('new', question('new', 2, 'open'));
  await settled();
  flushSync();
  expect(shown).toEqual(['old', 'new']);
  stop();
});

test('what is expected is there in the frame in which it is opened, and read again', async () => {
  const store = await attached();
  await store.expect('a');
  expect(api.watch).not.toHaveBeenCalledWith('testpage', ['a']);
  vi.mocked(api.transcript).mockResolvedValue({
    taskId: 'a',
    before: '',
    after: '',
    entries: [entry(1), entry(2)],
  });
  const shown = store.open('a');
  expect(shown.entries.map((e) => e.pos)).toEqual([1]);
  await settled();
  expect(shown.entries.map((e) => e.pos)).toEqual([1, 2]);
});

test('what is expected in vain, or open already, changes nothing', async () => {
  const store = await attached();
  vi.mocked(api.transcript).mockRejectedValueOnce(new Error('away'));
  await store.expect('a');
  const shown = store.open('a');
  expect(shown.entries).toEqual([]);
  await settled();
  vi.mocked(api.transcript).mockClear();
  await store.expect('a');
  expect(api.transcript).not.toHaveBeenCalled();
});

test('a transcript is watched while it is shown, and no longer', async () => {
  const store = await attached();
  store.open('a');
  store.open('a');
  store.close('a');
  await settled();
  expect(api.watch).toHaveBeenLastCalledWith('testpage', ['a']);
  store.close('a');
  await settled();
  expect(api.watch).toHaveBeenLastCalledWith('testpage', []);
});

test('entries and live text of a frame reach the transcript that shows their task, and only that', async () => {
  const store = await attached();
  const shown = store.open('a');
  await settled();
  const live: beckon.Live = { runId: 'r', thinking: false, text: 'Now' };
  store.apply({
    seq: 1,
    whole: false,
    lost: false,
    events: [
      { taskId: 'a', entry: entry(2) },
      { taskId: 'b', entry: entry(9) },
      { taskId: 'a', live },
    ],
  });
  expect(shown.entries.map((e) => e.pos)).toEqual([1, 2]);
  expect(shown.live.get('r')?.text).toBe('Now');
  store.apply({
    seq: 2,
    whole: false,
    lost: false,
    events: [{ taskId: 'a', live: { ...live, text: '' } }],
  });
  expect(shown.live.size).toBe(0);
});

test('a transcript that ran ahead of its events is read again without a gap', async () => {
  const store = await attached();
  const shown = store.open('a');
  await settled();
  vi.mocked(api.transcript).mockResolvedValue({
    taskId: 'a',
    before: 'cursor',
    after: '',
    entries: [entry(700), entry(701)],
  });
  store.apply({ seq: 1, whole: false, lost: false, events: [{ reload: 'a' }] });
  await settled();
  expect([shown.entries.map((e) => e.pos), shown.more]).toEqual([[700, 701], true]);
});

test('what is watched last stands, however long the call before takes', async () => {
  const told: string[][] = [];
  let release = () => {};
  const store = await attached();
  vi.spyOn(api, 'watch').mockImplementation((_, ids) => {
    told.push(ids);
    return told.length === 1
      ? new Promise<void>((resolve) => (release = resolve))
      : Promise.resolve();
  });
  store.open('a');
  await settled();
  store.close('a');
  store.open('b');
  await settled();
  expect(told, 'nothing overtakes').toEqual([['a']]);
  release();
  await settled();
  expect(told.at(-1)).toEqual(['b']);
});

test('a page that nobody sees follows nothing, and has caught up when it is seen again', async () => {
  const store = await attached();
  const shown = store.open('a');
  await settled();
  await store.hide(true);
  expect(api.watch).toHaveBeenLastCalledWith('testpage', []);
  vi.mocked(api.transcript).mockResolvedValue({
    taskId: 'a',
    before: '',
    after: '',
    entries: [entry(1), entry(2)],
  });
  await store.hide(false);
  expect(api.watch).toHaveBeenLastCalledWith('testpage', ['a']);
  expect(shown.entries.map((e) => e.pos)).toEqual([1, 2]);
});

test.each([
  ['is seen again', async (store: Store) => (await store.hide(true), await store.hide(false))],
  ['found Beckon again', (store: Store) => store.attached('other')],
])(
  'a sentence that was complete before the page %s does not stay half written',
  async (_, back) => {
    const store = await attached();
    const shown = store.open('a');
    await settled();
    const half: beckon.Live = { runId: 'r', thinking: false, text: 'Half a' };
    store.apply({ seq: 1, whole: false, lost: false, events: [{ taskId: 'a', live: half }] });
    expect(shown.live.size).toBe(1);
    await back(store);
    expect(shown.live.size).toBe(0);
  },
);

test('a sentence that is still being written when the page is seen again is shown whole', async () => {
  const store = await attached();
  const shown = store.open('a');
  await settled();
  const event = (text: string) => [{ taskId: 'a', live: { runId: 'r', thinking: false, text } }];
  store.apply({ seq: 1, whole: false, lost: false, events: event('Half a') });
  await store.hide(true);
  vi.mocked(api.watch).mockImplementation(async () =>
    store.apply({ seq: 2, whole: false, lost: false, events: event('Half a sentence') }),
  );
  await store.hide(false);
  expect(shown.live.get('r')?.text).toBe('Half a sentence');
});

const executor = (id: string, slots: number) =>
  ({ executor: { id, name: id, slots } }) as beckon.ExecutorStatus;
const onPlace = (id: string, executor: string, more: Partial<beckon.Run> = {}) =>
  ({
    id: `r-${id}`,
    taskId: id,
    number: 1,
    kind: 'task',
    phase: 'working',
    executor,
    linkLost: 0,
    ...more,
  }) as beckon.Run;
const frameOf = (seq: number, ...events: beckon.Event[]) => ({
  seq,
  whole: false,
  events,
  lost: false,
});

test('who asks where tasks wait for a slot comes first, and the meter counts all that run', () => {
  const store = new Store();
  const queued = (id: string, executor: string) => ({
    task: {
      id,
      projectId: 'p',
      status: 'queued',
      executor,
      resume: { at: 0 },
      startsAt: 0,
      after: '',
    } as beckon.Task,
  });
  const ask = (id: string, asked: number) => ({
    question: {
      ...question(`q-${id}`, asked, 'open'),
      taskId: id,
      runId: `r-${id}`,
      heldMs: 0,
      deadline: 0,
    },
  });
  const settings = { slots: 2 } as beckon.Settings;
  store.apply(
    frameOf(
      1,
      { settings },
      { run: onPlace('a', '') },
      { run: onPlace('b', 'farm') },
      ask('a', 1),
      ask('b', 2),
      queued('c', 'farm'),
      queued('d', 'farm'),
    ),
  );
  expect(store.slots).toEqual(['ask', 'free']);
  store.apply(frameOf(2, { executors: { all: [executor('farm', 1)] } }));
  expect(store.slots).toEqual(['ask', 'ask']);
  expect([store.slotsOf(''), store.slotsOf('farm')]).toEqual([['ask', 'free'], ['ask']]);
  expect(
    store.urgent.map((q) => q.id),
    'two wait for the slot that b holds',
  ).toEqual(['q-b', 'q-a']);
  expect(store.blocked).toBe(2);
  store.apply(frameOf(3, { executors: { all: [executor('farm', 2)] } }));
  expect(store.urgent.map((q) => q.id)).toEqual(['q-a', 'q-b']);
  expect(store.blocked).toBe(0);
});

test('when a link came back is known until it is lost again, or the run ends', () => {
  const store = new Store();
  const link = (seq: number, linkLost: number, phase: beckon.Phase = 'working') =>
    store.apply(frameOf(seq, { run: onPlace('a', 'farm', { linkLost, phase }) }));
  link(1, 0);
  expect(store.linkBack.size, 'it was never lost').toBe(0);
  link(2, 100);
  link(3, 0);
  expect(store.linkBack.has('r-a')).toBe(true);
  link(4, 200);
  expect(store.linkBack.has('r-a')).toBe(false);
  link(5, 0);
  link(6, 0, 'ended');
  expect(store.linkBack.has('r-a')).toBe(false);
});

test('a card names where its agent works or worked, and otherwise where it will', () => {
  const store = new Store();
  const at = (status: beckon.Status, run: beckon.Run | undefined) =>
    store.whereOf({ id: 'a', projectId: 'p', status, executor: 'next' } as beckon.Task, run);
  expect(at('running', onPlace('a', 'farm'))).toBe('farm');
  expect(at('review', onPlace('a', 'farm', { phase: 'ended' }))).toBe('farm');
  expect(at('queued', onPlace('a', 'farm', { phase: 'ended' }))).toBe('next');
  expect(at('backlog', undefined)).toBe('next');
});

test('a queued task waits for a slot from the second in which its start comes', async () => {
  vi.useFakeTimers();
  const store = await attached();
  const task = { id: 'a', status: 'queued', after: '', executor: '', resume: { at: 0 } };
  store.tasks.set('a', { ...task, startsAt: Date.now() + 5000 } as beckon.Task);
  store.tasks.set('b', { ...task, id: 'b', startsAt: 0 } as beckon.Task);
  const due = () => store.dueByPlace.get('')?.map(({ id }) => id);
  expect(due()).toEqual(['b']);
  vi.advanceTimersByTime(4000);
  expect(due()).toEqual(['b']);
  vi.advanceTimersByTime(1000);
  expect(due()).toEqual(['a', 'b']);
});
