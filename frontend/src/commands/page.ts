// What can be done from everywhere: where to go, and what is made or taken back.

import Archive from '@lucide/svelte/icons/archive';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import Signpost from '@lucide/svelte/icons/signpost';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import FileDiff from '@lucide/svelte/icons/file-diff';
import FolderPlus from '@lucide/svelte/icons/folder-plus';
import Import from '@lucide/svelte/icons/import';
import Inbox from '@lucide/svelte/icons/inbox';
import Keyboard from '@lucide/svelte/icons/keyboard';
import LayoutGrid from '@lucide/svelte/icons/layout-grid';
import ListFilter from '@lucide/svelte/icons/list-filter';
import PanelLeft from '@lucide/svelte/icons/panel-left';
import Pause from '@lucide/svelte/icons/pause';
import Play from '@lucide/svelte/icons/play';
import Settings from '@lucide/svelte/icons/settings';
import SquareKanban from '@lucide/svelte/icons/square-kanban';
import Wallet from '@lucide/svelte/icons/wallet';
import { answerNext, reviewNext } from '../app/keyboard';
import { width } from '../app/width.svelte';
import { api, transport } from '../bridge';
import { newView } from '../filter/newView';
import { t } from '../i18n/index.svelte';
import {
  attempt,
  keyFor,
  saveSettings,
  sheets,
  store,
  theRouter,
  type Command,
  type Route,
} from '../state';
import { settingsPages } from '../state/pages';
import { lookCommands } from './looks';

const go = (route: Route) => () => theRouter().go(route);

/** The id of the project whose board is shown, or empty. */
function boardProject(): string {
  const { route } = theRouter();
  return route.page === 'board' ? (store.projectByKey(route.project)?.id ?? '') : '';
}

/** Commands that are there on every page. */
export function pageCommands(): Command[] {
  const { away, holdQueue } = store.settings;
  return [
    ...(store.wanted.length > 0
      ? [
          {
            label: t('app.answerNext'),
            icon: CircleAlert,
            keys: keyFor('everywhere', 'answerNext'),
            run: answerNext,
          },
        ]
      : []),
    ...(store.reviews.length > 0
      ? [
          {
            label: t('app.reviewNext'),
            icon: FileDiff,
            keys: keyFor('everywhere', 'reviewNext'),
            run: () => void reviewNext(),
          },
        ]
      : []),
    {
      label: t('app.inbox'),
      icon: Inbox,
      keys: keyFor('everywhere', 'inbox'),
      run: go({ page: 'inbox', question: '' }),
    },
    {
      label: t('app.mission'),
      icon: LayoutGrid,
      keys: keyFor('everywhere', 'mission'),
      run: go({ page: 'mission', key: '' }),
    },
    {
      label: t('app.board'),
      icon: SquareKanban,
      keys: keyFor('everywhere', 'board'),
      run: go({ page: 'board', project: '' }),
    },
    {
      label: t('app.archive'),
      icon: Archive,
      keys: keyFor('everywhere', 'archive'),
      run: go({ page: 'archive', find: '' }),
    },
    {
      label: t('app.decisions'),
      icon: Signpost,
      keys: keyFor('everywhere', 'decisions'),
      run: go({ page: 'decisions' }),
    },
    {
      label: t('app.numbers'),
      icon: ChartColumn,
      keys: keyFor('everywhere', 'numbers'),
      run: go({ page: 'numbers' }),
    },
    { label: t('palette.limits'), icon: Wallet, run: () => sheets.limits() },
    { label: t('filter.newView'), icon: ListFilter, run: () => void newView() },
    { label: t('app.addProject'), icon: FolderPlus, run: () => sheets.addProject() },
    {
      label: t('imports.more'),
      icon: Import,
      keys: keyFor('board', 'import'),
      run: () => sheets.importTasks(boardProject()),
    },
    {
      label: t(away ? 'inbox.letGo' : 'inbox.holdAll'),
      icon: away ? Play : Pause,
      run: () => void attempt(() => api.holdAll(!away)),
    },
    {
      label: t(holdQueue ? 'board.resumeQueue' : 'board.holdQueue'),
      icon: holdQueue ? Play : Pause,
      run: () => void saveSettings({ holdQueue: !holdQueue }),
    },
    {
      label: t(width.slim ? 'app.expand' : 'app.collapse'),
      icon: PanelLeft,
      keys: keyFor('everywhere', 'sidebar'),
      run: () => width.toggle(),
    },
    {
      label: t('keys.sheet'),
      icon: Keyboard,
      keys: keyFor('everywhere', 'keys'),
      run: () => sheets.keys(),
    },
    ...settingsPages.map(({ label, section }) => ({
      label: t('palette.settingsOf', { page: t(label) }),
      icon: Settings,
      ...(section === undefined && { keys: keyFor('everywhere', 'settings') }),
      run: go({ page: 'settings', project: '', ...(section && { section }) }),
    })),
    ...store.sortedProjects.map((project) => ({
      label: t('palette.settingsOf', { page: project.name }),
      icon: Settings,
      run: go({ page: 'settings', project: project.key }),
    })),
    ...lookCommands(),
    ...(transport().desktop === undefined
      ? []
      : [
          {
            label: t('keys.quit'),
            keys: keyFor('everywhere', 'quit'),
            run: () => void attempt(() => api.quit('ask')),
          },
        ]),
  ];
}
