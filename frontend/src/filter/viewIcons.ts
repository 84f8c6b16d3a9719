// The sign of a view in the rail: what its first condition is about.
import Bot from '@lucide/svelte/icons/bot';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Cpu from '@lucide/svelte/icons/cpu';
import File from '@lucide/svelte/icons/file';
import Folder from '@lucide/svelte/icons/folder';
import GitMerge from '@lucide/svelte/icons/git-merge';
import ListFilter from '@lucide/svelte/icons/list-filter';
import MessageSquare from '@lucide/svelte/icons/message-square';
import SignalHigh from '@lucide/svelte/icons/signal-high';
import SquareKanban from '@lucide/svelte/icons/square-kanban';
import Tag from '@lucide/svelte/icons/tag';
import TextSearch from '@lucide/svelte/icons/text-search';
import type { Clause, Field, Filter } from './query';

const icons = {
  label: Tag,
  priority: SignalHigh,
  state: SquareKanban,
  project: Folder,
  model: Cpu,
  agent: Bot,
  waiting: MessageSquare,
  file: File,
  text: TextSearch,
} satisfies Record<Field, unknown>;

/** What a state is looked at for, where a view is of one alone. */
const states: Record<string, typeof ListFilter> = { stopped: CircleAlert, review: GitMerge };

/** iconOf returns the sign for a filter; one that asks for nothing has that of filters. */
export function iconOf(filter: Filter): typeof ListFilter {
  const first: Clause | undefined =
    filter.find((one) => !one.not && one.values.length > 0) ?? filter[0];
  if (!first) return ListFilter;
  const state =
    first.field === 'state' && !first.not && first.values.length === 1
      ? states[first.values[0]!]
      : undefined;
  return state ?? icons[first.field];
}
