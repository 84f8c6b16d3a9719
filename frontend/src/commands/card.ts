// What can be done to a task's card: what it says, and where it stands. Part of what can be done to the task.

import ArrowRight from '@lucide/svelte/icons/arrow-right';
import Bot from '@lucide/svelte/icons/bot';
import ChevronsUpDown from '@lucide/svelte/icons/chevrons-up-down';
import Clock from '@lucide/svelte/icons/clock';
import Copy from '@lucide/svelte/icons/copy';
import FolderInput from '@lucide/svelte/icons/folder-input';
import Link2 from '@lucide/svelte/icons/link-2';
import Pencil from '@lucide/svelte/icons/pencil';
import Repeat from '@lucide/svelte/icons/repeat';
import Server from '@lucide/svelte/icons/server';
import Signal from '@lucide/svelte/icons/signal';
import Tag from '@lucide/svelte/icons/tag';
import Timer from '@lucide/svelte/icons/timer';
import Unlink2 from '@lucide/svelte/icons/unlink-2';
import { api, type beckon } from '../bridge';
import { duplicate } from '../board/many';
import { same } from '../form/fields';
import { mayGo, moveCard, rankAt } from '../board/moves';
import { t } from '../i18n/index.svelte';
import { templateOf } from '../repeat/templates';
import {
  alive,
  attempt,
  clock,
  isHeld,
  keyFor,
  laneNames,
  lanes,
  otherAgents,
  sheets,
  store,
  type Command,
  type Lane,
} from '../state';
import { choose, rename } from './editing';

export interface TaskCommand extends Command {
  /** Whether the menu of the task's page lists it: what has no button there. */
  menu?: boolean;
}

/** What a card says, as it is changed on the board. */
export function editing(task: beckon.Task): TaskCommand[] {
  const edit: TaskCommand = {
    label: t('task.edit'),
    icon: Pencil,
    keys: keyFor('task', 'edit'),
    menu: true,
    run: () => sheets.edit(task),
  };
  if (task.status === 'archived') return [edit];
  return [
    edit,
    {
      label: t('palette.labels'),
      icon: Tag,
      keys: keyFor('card', 'labels'),
      run: () => choose('labels', [task.id]),
    },
    {
      label: t('palette.priority'),
      icon: Signal,
      keys: keyFor('card', 'priority'),
      run: () => choose('priority', [task.id]),
    },
    {
      label: t('cards.modelMore'),
      icon: ChevronsUpDown,
      keys: keyFor('card', 'model'),
      run: () => choose('model', [task.id]),
    },
    {
      label: t('cards.waitsMore'),
      icon: Timer,
      keys: keyFor('card', 'waits'),
      run: () => choose('policy', [task.id]),
    },
    ...(otherAgents() && task.session === ''
      ? [{ label: t('cards.agentMore'), icon: Bot, run: () => choose('agent', [task.id]) }]
      : []),
    ...(store.executors.length > 0
      ? [{ label: t('cards.executorMore'), icon: Server, run: () => choose('executor', [task.id]) }]
      : []),
    ...(store.projects.size > 1 && task.branch === '' && task.worktree === ''
      ? [
          {
            label: t('cards.projectMore'),
            icon: FolderInput,
            run: () => choose('project', [task.id]),
          },
        ]
      : []),
    ...waiting(task),
    {
      label: t('repeat.more'),
      icon: Repeat,
      run: () => sheets.repeat(templateOf(task.projectId, task)),
    },
    { label: t('cards.duplicate'), icon: Copy, run: () => void duplicate([task.id]) },
    ...rename(task),
  ];
}

/** What it waits for is chosen in its form. */
function waiting(task: beckon.Task): TaskCommand[] {
  if (task.status !== 'backlog' && task.status !== 'queued') return [];
  const first = store.firstOf(task);
  return [
    { label: t('cards.afterMore'), icon: Link2, run: () => sheets.edit(task) },
    { label: t('cards.startsAtMore'), icon: Clock, run: () => sheets.edit(task) },
    ...(isHeld(task, clock.now)
      ? [
          {
            label: t('board.removeStartsAt'),
            icon: Clock,
            run: () => void attempt(() => api.editTask(task.id, { ...same(task), startsAt: 0 })),
          },
        ]
      : []),
    ...(first
      ? [
          {
            label: t('board.removeAfter', { key: first.key }),
            icon: Unlink2,
            run: () => void attempt(() => api.editTask(task.id, { ...same(task), after: '' })),
          },
        ]
      : []),
  ];
}

/** The columns that a card may be dropped in, and the ends of its own. */
export function moving(task: beckon.Task, run: beckon.Run | undefined): TaskCommand[] {
  const from = task.status;
  if (from === 'archived') return [];
  const to = (lane: Lane): TaskCommand[] => {
    if (lane === from || lane === 'running' || !mayGo(from, lane)) return [];
    const label =
      lane === 'backlog'
        ? t('task.toBacklog')
        : from === 'done' && lane === 'review'
          ? t('task.toReview')
          : t('palette.moveTo', { lane: t(`words.${lane}`) });
    const keys = lane === 'queued' && from === 'backlog' ? keyFor('card', 'queue') : undefined;
    return [
      {
        label,
        icon: ArrowRight,
        menu: !alive(run) && (lane === 'backlog' || from === 'done'),
        run: () => void moveCard(task, lane, 0),
        ...(keys && { keys }),
      },
    ];
  };
  const end = (label: string, index: (others: number) => number): TaskCommand => ({
    label,
    icon: ArrowRight,
    run: () => {
      const column = lanes(store.tasks.values(), store.waitingByTask)[from];
      void moveCard(task, from, rankAt(column, task.id, index(column.length - 1)));
    },
  });
  return [
    ...laneNames.flatMap(to),
    end(t('palette.toTop'), () => 0),
    end(t('palette.toEnd'), (others) => others),
  ];
}
