import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { apply, type Model } from './apply';

function model(): Model {
  return {
    projects: new Map(),
    tasks: new Map(),
    runs: new Map(),
    questions: new Map(),
    sessions: new Map(),
    scripts: new Map(),
    terminals: new Map(),
    pulls: new Map(),
    settings: settings(3),
    mission: { layout: 4, panes: [], removed: [], maximised: '' },
    disk: { full: false, dir: '' },
    floods: [],
    spending: { budgets: [], today: { tokens: 0, costUsd: 0, unpriced: 0 }, windows: [] },
    channels: undefined,
    views: [],
    executors: [],
    release: { version: '', page: '', way: '', file: '', command: '' },
    slept: { from: 0, to: 0, runs: [], questions: [] },
    queues: new Map(),
    comments: new Map(),
    seqs: new Map(),
  };
}

const settings = (slots: number) => ({ slots }) as beckon.Settings;
const message = (id: string) => ({ id }) as beckon.Message;
const task = (id: string, title: string) => ({ id, title }) as beckon.Task;
const frame = (seq: number, events: beckon.Event[], whole = false): beckon.Frame => ({
  seq,
  whole,
  events,
  lost: false,
});
const titles = (m: Model) => [...m.tasks.keys()].map((id) => m.tasks.get(id)!.title);

test('a card shows the newest value, whatever order frames come in', () => {
  const m = model();
  apply(m, frame(5, [{ task: task('a', 'newer') }]));
  apply(m, frame(4, [{ task: task('a', 'older') }]));
  expect(titles(m)).toEqual(['newer']);
});

test('two values in one frame: the later one stands', () => {
  const m = model();
  apply(m, frame(1, [{ task: task('a', 'first') }, { task: task('a', 'second') }]));
  expect(titles(m)).toEqual(['second']);
});

test('the whole state takes away what it does not name', () => {
  const m = model();
  apply(
    m,
    frame(1, [
      { task: task('a', 'a') },
      { task: task('b', 'b') },
      { question: { id: 'q' } as beckon.Question },
    ]),
  );
  apply(m, frame(2, [{ task: task('b', 'b') }], true));
  expect(titles(m)).toEqual(['b']);
  expect(m.questions.get('q')).toBeUndefined();
});

test('a session that runs elsewhere comes, changes and goes', () => {
  const m = model();
  const session = (name: string) => ({ id: 's', name }) as beckon.OutsideSession;
  apply(m, frame(1, [{ session: session('first') }]));
  apply(m, frame(2, [{ session: session('second') }]));
  expect(m.sessions.get('s')?.name).toBe('second');
  apply(m, frame(3, [{ gone: 's' }]));
  expect(m.sessions.get('s')).toBeUndefined();
  apply(m, frame(4, [{ session: session('third') }]));
  apply(m, frame(5, [], true));
  expect(m.sessions.get('s')).toBeUndefined();
});

test('what was created while the whole state was on its way is kept', () => {
  const m = model();
  apply(m, frame(8, [{ task: task('new', 'new') }]));
  apply(m, frame(7, [{ task: task('a', 'a') }], true));
  expect(titles(m)).toEqual(['new', 'a']);
});

test('a deleted card does not come back with an older whole state', () => {
  const m = model();
  apply(m, frame(1, [{ task: task('a', 'a') }]));
  apply(m, frame(9, [{ gone: 'a' }]));
  apply(m, frame(8, [{ task: task('a', 'a') }], true));
  expect(titles(m)).toEqual([]);
});

test('a full disk is said until a newer frame says that there is room', () => {
  const m = model();
  apply(m, frame(3, [{ disk: { full: true, dir: '/data' } }]));
  apply(m, frame(2, [{ disk: { full: false, dir: '/data' } }], true));
  expect(m.disk).toEqual({ full: true, dir: '/data' });
  apply(m, frame(4, [{ disk: { full: false, dir: '/data' } }], true));
  expect(m.disk.full).toBe(false);
});

test('who floods is said until a newer frame names it no more', () => {
  const m = model();
  const flood = { taskId: 'a', origin: '', refused: 9 };
  apply(m, frame(3, [{ floods: { floods: [flood] } }]));
  apply(m, frame(2, [{ floods: { floods: [] } }], true));
  expect(m.floods).toEqual([flood]);
  apply(m, frame(4, [{ floods: { floods: [] } }], true));
  expect(m.floods).toEqual([]);
});

test('a deleted card takes its run, its question and its queue along', () => {
  const m = model();
  const question = { id: 'q', taskId: 'a' } as beckon.Question;
  const run = { id: 'r', taskId: 'a' } as beckon.Run;
  const other = { id: 'r2', taskId: 'b' } as beckon.Run;
  apply(
    m,
    frame(1, [
      { task: task('a', 'a') },
      { run },
      { run: other },
      { question },
      { queue: { taskId: 'a', messages: [message('1')] } },
    ]),
  );
  apply(m, frame(9, [{ gone: 'a' }]));
  expect([...m.runs.keys()]).toEqual(['r2']);
  expect([...m.questions.keys()]).toEqual([]);
  expect([...m.queues.keys()]).toEqual([]);
  // Nor do they come back with a whole state that was asked for before.
  apply(
    m,
    frame(
      8,
      [{ run }, { run: other }, { question }, { queue: { taskId: 'a', messages: [message('1')] } }],
      true,
    ),
  );
  expect([...m.runs.keys()]).toEqual(['r2']);
  expect([...m.questions.keys()]).toEqual([]);
  expect([...m.queues.keys()]).toEqual([]);
});

test('settings of an older frame do not undo a newer choice', () => {
  const m = model();
  apply(m, frame(3, [{ settings: settings(5) }]));
  apply(m, frame(2, [{ settings: settings(3) }], true));
  expect(m.settings.slots).toBe(5);
});

test('a restarted Beckon counts from the start and is still believed', () => {
  const m = model();
  apply(m, frame(500, [{ task: task('a', 'before') }]));
  m.seqs = new Map();
  apply(m, frame(1, [{ task: task('a', 'after') }], true));
  expect(titles(m)).toEqual(['after']);
});

test('events of transcripts are handed on, in order', () => {
  const entry = { id: 'e' } as beckon.Entry;
  const rest = apply(
    model(),
    frame(1, [{ entry, taskId: 'a' }, { task: task('a', 'a') }, { reload: 'a' }]),
  );
  expect(rest).toEqual([{ entry, taskId: 'a' }, { reload: 'a' }]);
});

test('a queue that is empty, or that the whole state does not name, is gone', () => {
  const m = model();
  apply(
    m,
    frame(1, [
      { queue: { taskId: 'a', messages: [message('1')] } },
      { queue: { taskId: 'b', messages: [message('2')] } },
    ]),
  );
  apply(m, frame(2, [{ queue: { taskId: 'a', messages: [] } }]));
  expect([...m.queues.keys()]).toEqual(['b']);
  apply(m, frame(3, [], true));
  expect([...m.queues.keys()]).toEqual([]);
});

test('comments come and go with their task, and with a whole state that does not name them', () => {
  const m = model();
  const count = (changed: number) => ({ taskId: 'a', drafts: 1, open: 0, changed });
  apply(m, frame(1, [{ comments: count(7) }]));
  apply(m, frame(0, [{ comments: count(6) }]));
  expect(m.comments.get('a')?.changed).toBe(7);
  apply(m, frame(2, [], true));
  expect(m.comments.get('a')).toBeUndefined();
  apply(m, frame(3, [{ comments: count(8) }]));
  apply(m, frame(4, [{ gone: 'a' }]));
  expect(m.comments.get('a')).toBeUndefined();
});

test('a newer version is shown until there is none', () => {
  const m = model();
  apply(
    m,
    frame(
      1,
      [
        {
          release: {
            version: '1.3.0',
            page: 'https://github.com/someone/beckon/releases/tag/v1.3.0',
            way: '',
            file: '',
            command: '',
          },
        },
      ],
      true,
    ),
  );
  expect(m.release.version).toBe('1.3.0');
  apply(m, frame(3, [{ release: { version: '', page: '', way: '', file: '', command: '' } }]));
  apply(m, frame(2, [{ release: { version: '1.3.0', page: '', way: '', file: '', command: '' } }]));
  expect(m.release).toMatchObject({ version: '', page: '' });
});

test('the executors of a later frame stand, whatever order frames come in', () => {
  const m = model();
  const status = (state: beckon.ExecutorStatus['health']['state']) =>
    ({ all: [{ health: { state } }] }) as beckon.Event['executors'] & object;
  apply(m, frame(3, [{ executors: status('ready') }]));
  apply(m, frame(2, [{ executors: status('checking') }]));
  expect(m.executors.map((one) => one.health.state)).toEqual(['ready']);
  apply(m, frame(4, [{ executors: { all: [] } }]));
  expect(m.executors).toEqual([]);
});
