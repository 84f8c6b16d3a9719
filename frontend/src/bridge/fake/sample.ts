// The board as the design draws it, for `npm run dev`. Names and figures are
// made up.
import type * as beckon from '../types';
import { pastQuestions, sampleQuestions } from './questions';

export const minute = 60_000;

/** All that a fake Beckon holds. */
export interface World {
  about: beckon.About;
  settings: beckon.Settings;
  projects: beckon.Project[];
  tasks: beckon.Task[];
  runs: beckon.Run[];
  questions: beckon.Question[];
  rules: beckon.Rule[];
  mission: beckon.Mission;
}

type Row = [key: string, title: string, status: beckon.Status, priority: number, labels: string[], more?: Partial<beckon.Task>];

const spent = (tokens: number, costUsd: number, minutes: number): beckon.Spent => ({ tokens, costUsd, workedMs: minutes * minute });
const changed = (files: number, added: number, removed: number): beckon.Changes => ({ files, added, removed, commits: Math.ceil(files / 3) });

const rows: Row[] = [
  ['ORC-88', 'Keyboard navigation in the customer table', 'backlog', 2, ['a11y', 'frontend']],
  ['KES-52', 'Fuzz the duration literal parser', 'backlog', 1, ['tests']],
  ['LED-23', 'Import OFX statements', 'backlog', 2, ['feature']],
  ['DOC-9', 'Rewrite the quick start for 2.0', 'backlog', 0, ['docs']],
  ['ORC-94', 'Remove the legacy PDF exporter', 'backlog', 1, ['cleanup']],
  ['KES-53', 'Explain plan as JSON', 'backlog', 0, ['api']],
  ['ORC-91', 'Move session cookies to SameSite=Lax', 'queued', 4, ['security']],
  ['KES-49', 'Return partial results when a shard times out', 'queued', 3, ['api']],
  ['LED-24', 'Show statement drift in the TUI', 'queued', 2, ['tui']],
  ['DOC-11', 'Check every code sample compiles', 'queued', 1, ['ci']],
  ['KES-47', 'Reject overlapping time ranges in the query parser', 'running', 3, [], { changes: changed(4, 71, 8) }],
  ['ORC-90', 'Add a currency column to invoices', 'running', 2, [], {}],
  ['LED-21', 'Reconcile statement totals with the journal', 'running', 3, [], {}],
  ['ORC-86', 'Split the billing webhook handler by event type', 'running', 3, [], { changes: changed(7, 214, 167) }],
  ['KES-50', 'Stream results as NDJSON', 'running', 2, [], { changes: changed(3, 96, 12) }],
  ['DOC-10', 'Document the retry policy', 'running', 1, [], {}],
  ['KES-44', 'Bound memory in the merge iterator', 'review', 3, ['perf'], { changes: changed(6, 182, 74), spent: spent(820_000, 3.4, 41) }],
  ['ORC-85', 'Replace moment with Temporal', 'review', 2, ['deps'], { changes: changed(23, 301, 288), spent: spent(1_210_000, 5.2, 66) }],
  ['DOC-8', 'Dark diagrams for the architecture page', 'review', 1, ['docs'], { changes: changed(3, 48, 9), spent: spent(77_000, 0.3, 6) }],
  ['LED-20', 'Parse MT940 balances', 'review', 2, ['import', 'mt940'], { changes: changed(4, 209, 8), spent: spent(301_000, 1.28, 24) }],
  ['ORC-84', 'Fix the flaky checkout test', 'done', 0, []],
  ['KES-46', 'Drop support for Go 1.21', 'done', 0, []],
  ['LED-19', 'Round half to even everywhere', 'done', 0, []],
  ['KES-45', 'Name the planner stages in traces', 'done', 0, []],
  ['ORC-83', 'Lock the seed data for previews', 'done', 0, []],
  ['DOC-7', 'Redirect the old API pages', 'done', 0, []],
  ['ORC-81', 'Log slow queries with their plan', 'done', 0, []],
  ['KES-43', 'Reuse scanner buffers', 'done', 0, []],
];

const names = ['kestrel', 'orchard', 'ledgerline', 'atlas-docs'];
const keys = ['KES', 'ORC', 'LED', 'DOC'];

/** The sample as of now. `many` adds that many cards to it. */
export function sampleWorld(now: number, many = 0): World {
  const tasks = [...rows.map((row, i) => task(row, i, now)), ...crowd(many, now)];
  const runs = sampleRuns(now);
  return {
    about: { version: '0.2.0', build: { commit: '0123456789', date: '2026-05-04', notices: '/usr/share/doc/beckon/third-party-notices.txt' }, claudePath: 'claude', claudeVersion: '2.1.32', claudeTrouble: '', claudeOldest: '2.0.0', claudeTried: { from: '2.1.197', to: '2.1.332', newer: false }, gitVersion: '2.47.1', dataDir: '~/.local/share/beckon', demo: false, updates: true, window: false, system: 'linux', home: '/home/ada', observed: [], polled: [], tray: false, notifications: false },
    settings: { slots: 8, holdQueue: false, language: '', theme: '', singleKeys: true, observe: true, observeRoots: [], tellElsewhere: true, elsewhereMet: true, claudeMet: '', hooksDeclined: true, away: false, takeBackMs: 0, autostart: false, shortcut: '', looks: { textSize: 0, density: '', codeFont: '', contrast: '', motion: '', hideSpent: false, needsInPlace: false }, labelTones: {}, updates: false, notify: { questions: true, failures: true, finished: true, sounds: true, quietFrom: 0, quietTo: 0 } },
    projects: names.map((name, i) => project(name, i, now)),
    tasks,
    runs,
    questions: [...sampleQuestions(now), ...pastQuestions(now)],
    mission: { layout: 4, panes: ['kes-47', 'orc-86', 'orc-90', 'kes-50', 'led-21', 'doc-10', 'kes-44', 'orc-85', 'led-20'].map((taskId) => ({ taskId, pinned: false })), removed: [], maximised: '' },
    rules: [{ id: 'r1', projectId: 'p0', text: 'Which test runner?', labels: ['go test'], created: now, used: 3, elsewhere: false }],
  };
}

/** A fresh install: nothing yet, perhaps not even claude. */
export function emptyWorld(now: number, claude: boolean): World {
  const world = sampleWorld(now);
  if (!claude) Object.assign(world.about, { claudeVersion: '', claudeTrouble: 'missing' });
  return { ...world, projects: [], tasks: [], runs: [], questions: [], rules: [] };
}

function project(name: string, i: number, now: number): beckon.Project {
  return { id: `p${i}`, key: keys[i]!, name, dir: `/home/ada/src/${name}`, color: i + 1, git: true, base: 'main', model: '', mode: 'auto', policy: 'proceed', waitMs: 3 * minute, allowed: [], trusted: i < 2, mergeWay: 'merge', scripts: { setup: '', check: '', dev: '', copied: [], spare: false }, executor: '', created: now - (9 - i) * 1440 * minute };
}

function task([key, title, status, priority, labels, more]: Row, i: number, now: number): beckon.Task {
  const [prefix = '', number = ''] = key.split('-');
  const started = status !== 'backlog' && status !== 'queued';
  const doneAgo = [6, 31, 168, 200, 1500, 1600, 1700, 3100][i - 20] ?? 60;
  return {
    id: key.toLowerCase(),
    projectId: `p${keys.indexOf(prefix)}`,
    number: Number(number),
    key,
    title,
    brief: brief(title),
    status,
    rank: (i + 1) * 1024,
    labels,
    priority,
    executor: '',
    after: '',
    startsAt: 0,
    model: '',
    mode: 'auto',
    policy: 'proceed',
    waitMs: 3 * minute,
    worktree: started ? `worktrees/${key}` : '',
    branch: started ? `beckon/${key.toLowerCase()}` : '',
    base: 'main',
    baseCommit: started ? '4f1c2d90' : '',
    session: started ? `session-${key}` : '',
    changes: { files: 0, added: 0, removed: 0, commits: 0 },
    spent: spent(0, 0, 0),
    trouble: '',
    resume: { at: 0, why: '', tries: 0 },
    resolution: status === 'done' ? 'merged' : '',
    landed: { way: 'merge', commit: status === 'done' ? '4f1c2d9012ab' : '', at: now - doneAgo * minute },
    archivedFrom: '',
    restoresTo: '',
    keptRef: '',
    keptUntil: 0,
    created: now - (100 - i) * 60 * minute,
    updated: now - doneAgo * minute,
    ...more,
  };
}

function brief(title: string): string {
  return `${title}.\n\n- Keep the public API as it is\n- Add a test that fails without the change\n\nSee \`plan/merge.go\`.`;
}

function crowd(many: number, now: number): beckon.Task[] {
  const columns: beckon.Status[] = ['backlog', 'queued', 'review', 'done'];
  return Array.from({ length: many }, (_, i) => task([`KES-${1000 + i}`, `One of many cards, number ${i}`, columns[i % 4]!, i % 4, ['crowd']], 100 + i, now));
}

function sampleRuns(now: number): beckon.Run[] {
  return [
    live('kes-47', 'asking', 18, spent(412_000, 1.86, 0), 'asking', '', now),
    live('orc-90', 'asking', 7, spent(96_000, 0.41, 0), 'asking', '', now),
    live('led-21', 'asking', 4, spent(71_000, 0.33, 0), 'asking', '', now),
    live('orc-86', 'working', 31, spent(688_000, 3.07, 0), 'editing', 'invoice-paid.ts', now),
    live('kes-50', 'working', 12, spent(240_000, 1.02, 0), 'executing', 'go test ./...', now),
    live('doc-10', 'working', 2, spent(38_000, 0.12, 0), 'searching', 'backoff', now),
    ended('kes-44', 'succeeded', '', now),
    ended('orc-85', 'succeeded', '', now),
    ended('doc-8', 'succeeded', '', now),
    ended('led-20', 'failed', 'Claude overloaded after 10 tries', now),
  ];
}

function live(taskId: string, phase: beckon.Phase, minutes: number, cost: beckon.Spent, verb: beckon.Verb, target: string, now: number): beckon.Run {
  return { id: `run-${taskId}`, taskId, number: 1, kind: 'task', phase, outcome: '', reason: '', detail: '', session: `session-${taskId}`, model: 'opus', nextModel: '', mode: 'auto', effort: '', context: { tokens: 61_000, limit: 200_000 }, activity: { verb, target, since: now - 38_000 }, turns: 3, spent: cost, started: now - minutes * minute - 20_000, ended: 0, copyOf: '', dir: '', configDir: '', executor: '', linkLost: 0, waits: { for: '', words: '' } };
}

function ended(taskId: string, outcome: beckon.Outcome, reason: string, now: number): beckon.Run {
  const run = live(taskId, 'ended', 44, spent(301_000, 1.28, 24), 'thinking', '', now);
  return { ...run, outcome, reason, detail: reason && '529 {"type":"overloaded_error"}', activity: { verb: '', target: '', since: 0 }, ended: now - 20 * minute };
}
