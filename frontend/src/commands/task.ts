// What can be done to a task. Its menu and the palette list the same.

import Archive from '@lucide/svelte/icons/archive';
import ArchiveRestore from '@lucide/svelte/icons/archive-restore';
import Bot from '@lucide/svelte/icons/bot';
import CornerUpLeft from '@lucide/svelte/icons/corner-up-left';
import ExternalLink from '@lucide/svelte/icons/external-link';
import Download from '@lucide/svelte/icons/download';
import FileText from '@lucide/svelte/icons/file-text';
import FileDiff from '@lucide/svelte/icons/file-diff';
import GitMerge from '@lucide/svelte/icons/git-merge';
import LayoutGrid from '@lucide/svelte/icons/layout-grid';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Pause from '@lucide/svelte/icons/pause';
import Play from '@lucide/svelte/icons/play';
import RotateCcw from '@lucide/svelte/icons/rotate-ccw';
import Server from '@lucide/svelte/icons/server';
import Split from '@lucide/svelte/icons/split';
import Square from '@lucide/svelte/icons/square';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Terminal from '@lucide/svelte/icons/terminal';
import Wallet from '@lucide/svelte/icons/wallet';
import Trash from '@lucide/svelte/icons/trash-2';
import { pairOf } from '../attempts/pairs';
import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { holding } from '../question/holding.svelte';
import { leftMs } from '../question/clock';
import { mergeTask, usualWay } from '../review/merging';
import { asked } from '../review/repositories/asked.svelte';
import { kindsOf, nameOf, runOf, runScript, startable, stopScript } from '../scripts/running';
import { drawer, hasTerminal } from '../terminal/drawer.svelte';
import { openLink } from '../text/links';
import { oneLine } from '../text/plain';
import {
  alive,
  archiveTask,
  attempt,
  goOf,
  keyFor,
  mayHandOver,
  mayStartOver,
  nextAgents,
  restoreTask,
  sheets,
  startTask,
  store,
  theRouter,
  wanted,
  type TaskTab,
} from '../state';
import { exportRun, exportTrace, openInTerminal, sharePage } from './exporting';
import { editing, moving, type TaskCommand } from './card';

/** What can be done to a task as it is now, in the order in which it is listed. */
export function taskCommands(task: beckon.Task): TaskCommand[] {
  const run = store.latestRuns.get(task.id) ?? store.runsOf(task.id).at(-1);
  return [
    ...comparing(task),
    ...answering(task),
    ...reviewing(task, run),
    ...linking(task, run),
    ...running(task, run),
    ...scripting(task),
    ...opening(task),
    ...editing(task),
    ...moving(task, run),
    ...allowing(task),
    ...exporting(run),
    ...ending(task, run),
  ];
}

/** Of one of two attempts. */
function comparing(task: beckon.Task): TaskCommand[] {
  if (!pairOf(task, store.tasks)) return [];
  return [
    { label: t('board.compare'), icon: Split, menu: true, run: () => sheets.compare(task.id) },
  ];
}

function go(task: beckon.Task, tab: TaskTab): void {
  theRouter().go({ page: 'task', key: task.key, tab });
}

function answering(task: beckon.Task): TaskCommand[] {
  const q = store.waitingByTask.get(task.id)?.[0];
  if (!q) return [];
  const clocked = q.settlement === 'open' && leftMs(q, 0) !== null;
  return [
    {
      label: t('palette.answer'),
      icon: MessageSquare,
      run: () => theRouter().go({ page: 'inbox', question: q.id }),
    },
    ...(clocked
      ? [
          {
            label: t(q.heldMs > 0 ? 'palette.resumeClock' : 'palette.holdClock'),
            icon: q.heldMs > 0 ? Play : Pause,
            keys: keyFor('question', 'hold'),
            run: () => holding.toggle(q),
          },
        ]
      : []),
  ];
}

function reviewing(task: beckon.Task, run: beckon.Run | undefined): TaskCommand[] {
  const project = store.projects.get(task.projectId);
  const base = task.base || project?.base || '';
  const way = usualWay(task);
  /** In several repositories one looks first: their states, and what is left out, are on the page. */
  const several = (project?.repositories.length ?? 0) > 0;
  const review: TaskCommand = {
    label: t('palette.review'),
    icon: FileDiff,
    run: () => go(task, 'changes'),
  };
  if (task.status !== 'review' || alive(run)) return task.changes.files > 0 ? [review] : [];
  return [
    ...(task.changes.commits > 0 || task.changes.files > 0
      ? [
          {
            label: several ? t('repositories.mergeMenu') : t(`review.${way}`, { base }),
            icon: GitMerge,
            keys: keyFor('diff', several ? 'ways' : 'merge'),
            run: () =>
              several ? chooseMerge(task) : void mergeTask(task, base, { way, message: '' }),
          },
        ]
      : []),
    review,
    { label: t('review.sendBack'), icon: CornerUpLeft, run: () => sheets.sendBack(task) },
  ];
}

/** Shows the changes, and with them how they can be merged. */
function chooseMerge(task: beckon.Task): void {
  asked.merge = task.id;
  go(task, 'changes');
}

/** What helps where an executor is not reached: to look at it again. */
function linking(task: beckon.Task, run: beckon.Run | undefined): TaskCommand[] {
  const live = alive(run);
  const executor = store.executor(
    live ? run!.executor : task.status === 'queued' ? store.placeOf(task) : '',
  );
  if (!executor || (live ? run!.linkLost === 0 : executor.health.state === 'ready')) return [];
  const { id, name } = executor.executor;
  return [
    {
      label: `${t('words.tryNow')}: ${oneLine(name)}`,
      icon: Server,
      run: () => void attempt(() => api.checkExecutor(id)),
    },
  ];
}

function running(task: beckon.Task, run: beckon.Run | undefined): TaskCommand[] {
  const message: TaskCommand = {
    label: t('keys.write'),
    icon: MessageSquare,
    keys: keyFor('card', 'write'),
    run: () => void (wanted.ask('composer', task.id), go(task, 'session')),
  };
  if (alive(run)) {
    return [
      message,
      {
        label: t('task.stop'),
        icon: Square,
        keys: keyFor('task', 'stop'),
        run: () => void attempt(() => api.stop(task.id)),
      },
      {
        label: t('palette.pane'),
        icon: LayoutGrid,
        run: () => theRouter().go({ page: 'mission', key: task.key }),
      },
    ];
  }
  const start = goOf(task, run);
  const chat = async () => {
    await api.startInteractive(task.id);
    go(task, 'session');
  };
  return [
    ...(start === ''
      ? []
      : [
          {
            label: t(start === 'start' ? 'task.start' : 'task.resume'),
            icon: Play,
            keys: keyFor('task', 'resume'),
            run: () => void startTask(task),
          },
        ]),
    ...(mayHandOver(task, run) && nextAgents(task).length > 0
      ? [
          {
            label: t('task.continueWith'),
            icon: Bot,
            menu: true,
            run: () => sheets.continueWith(task),
          },
        ]
      : []),
    ...(mayStartOver(task, run)
      ? [
          {
            label: t('task.startOver'),
            icon: RotateCcw,
            menu: true,
            run: () => sheets.lose(task, 'startOver'),
          },
        ]
      : []),
    ...(task.status === 'archived'
      ? []
      : [
          {
            label: t('task.openChat'),
            icon: MessageSquare,
            run: () => void attempt(chat, { untrusted: () => sheets.trust(task.projectId, chat) }),
          },
        ]),
  ];
}

/** The commands of its project, in its worktree. */
function scripting(task: beckon.Task): TaskCommand[] {
  return kindsOf(task).flatMap((kind): TaskCommand[] => {
    const now = runOf(task.id, kind);
    const name = nameOf(kind);
    return [
      ...(now?.state === 'running'
        ? [
            {
              label: t('scripts.stopIt', { name }),
              icon: Square,
              run: () => void stopScript(task, kind),
            },
          ]
        : []),
      ...(startable(task, kind)
        ? [
            {
              label: t('scripts.runIt', { name }),
              icon: SquareTerminal,
              run: () => void (go(task, 'commands'), runScript(task, kind)),
            },
          ]
        : []),
      ...(now?.url
        ? [
            {
              label: t('scripts.open', { url: now.url }),
              icon: ExternalLink,
              run: () => openLink(now.url),
            },
          ]
        : []),
    ];
  });
}

function opening(task: beckon.Task): TaskCommand[] {
  if (task.worktree === '') return [];
  return [
    ...(hasTerminal(task)
      ? [
          {
            label: t('keys.terminal'),
            icon: Terminal,
            keys: keyFor('task', 'terminal'),
            run: () => void (go(task, 'session'), drawer.open(task.id)),
          },
        ]
      : []),
    {
      label: t('task.openIn'),
      icon: SquareTerminal,
      keys: keyFor('task', 'openIn'),
      run: () => sheets.openIn(task),
    },
  ];
}

function allowing(task: beckon.Task): TaskCommand[] {
  if (task.status === 'archived') return [];
  return [
    {
      label: t('palette.budget'),
      icon: Wallet,
      menu: true,
      run: () => sheets.limits(task.id),
    },
  ];
}

function exporting(run: beckon.Run | undefined): TaskCommand[] {
  if (!run) return [];
  return [
    ...(run.session === ''
      ? []
      : [
          {
            label: t('task.openInTerminal'),
            icon: SquareTerminal,
            menu: true,
            run: () => void openInTerminal(run.id),
          },
        ]),
    {
      label: t('task.share'),
      icon: FileText,
      menu: true,
      run: () => void sharePage(run.taskId),
    },
    {
      label: t('task.exportHtml'),
      icon: Download,
      menu: true,
      run: () => void exportRun(run.id, 'html'),
    },
    {
      label: t('task.exportJson'),
      icon: Download,
      menu: true,
      run: () => void exportRun(run.id, 'json'),
    },
    {
      label: t('task.exportTrace'),
      icon: Download,
      run: () => void exportTrace(run.taskId),
    },
  ];
}

function ending(task: beckon.Task, run: beckon.Run | undefined): TaskCommand[] {
  const live = alive(run);
  return [
    ...(task.status === 'archived'
      ? [
          {
            label: t('archive.restore'),
            icon: ArchiveRestore,
            menu: true,
            run: () => void restoreTask(task),
          },
        ]
      : []),
    ...(task.status !== 'archived' && task.status !== 'running'
      ? [
          {
            label: t('task.archive'),
            icon: Archive,
            keys: keyFor('card', 'archive'),
            menu: true,
            run: () => void archiveTask(task),
          },
        ]
      : []),
    ...(task.worktree && !live
      ? [
          {
            label: t('task.discard'),
            icon: Trash,
            danger: true,
            menu: true,
            run: () => sheets.lose(task, 'discard'),
          },
        ]
      : []),
    ...(live
      ? []
      : [
          {
            label: t('task.delete'),
            icon: Trash,
            danger: true,
            menu: true,
            run: () => sheets.lose(task, 'delete'),
          },
        ]),
  ];
}
