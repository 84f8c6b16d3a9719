import type { beckon } from '../bridge';
import { looks } from '../filter/looks.svelte';
import { countLanes, lanes, store, type Lane } from '../state';

/** The cards of a board, and which of them its filter leaves. */
export class Shown {
  #project: () => beckon.Project | undefined;

  constructor(project: () => beckon.Project | undefined) {
    this.#project = project;
  }

  /** By which the board is known to its filter. */
  readonly board = $derived.by(() => this.#project()?.id ?? 'all');
  readonly facts = $derived({ waiting: store.waitingByTask, runs: store.latestRuns, models: new Map(store.projects.values().map((project) => [project.id, project.model])) });
  readonly own = $derived.by(() => {
    const project = this.#project();
    return store.tasks.values().filter((task) => task.status !== 'archived' && (!project || task.projectId === project.id));
  });
  /** What the filter finds; undefined while there is none. */
  readonly found = $derived(looks.shows(this.board) ? looks.engine?.find(this.own, looks.filterOf(this.board), this.facts) : undefined);
  readonly lanes = $derived(lanes(this.found?.matches ?? this.own, store.waitingByTask));
  readonly #all = $derived(this.found && countLanes(this.own));

  /** How many cards a column has, those besides that the filter hides; undefined without a filter. */
  allOf(lane: Lane): number | undefined {
    return this.#all?.[lane];
  }

  /** How many cards of Running need the person: of those that are shown, and of all. */
  readonly needs = $derived(this.lanes.running.filter((task) => store.waitingByTask.has(task.id)).length);
  readonly allNeeds = $derived(this.own.filter((task) => task.status === 'running' && store.waitingByTask.has(task.id)).length);
}
