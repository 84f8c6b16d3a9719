import type { beckon } from '../bridge';
import { folded } from '../attempts/pairs';
import { looks, projectBoard, viewBoard } from '../filter/looks.svelte';
import { plain } from '../filter/display';
import { countLanes, lanes, store, type Lane } from '../state';
import { rankAt } from './moves';

/** The cards of a board, and which of them its filter leaves. */
export class Shown {
  #project: () => beckon.Project | undefined;

  #view: () => string | undefined;

  constructor(project: () => beckon.Project | undefined, view: () => string | undefined) {
    this.#project = project;
    this.#view = view;
  }

  /** By which the board is known to its filter. */
  readonly board = $derived.by(() => {
    const view = this.#view();
    return view === undefined ? projectBoard(this.#project()) : viewBoard(view);
  });
  /** Whether a filter waits for what filters: cards that it would hide are not shown meanwhile. */
  readonly pending = $derived(looks.engine === undefined && looks.filterOf(this.board).length > 0);
  readonly facts = $derived({
    waiting: store.waitingByTask,
    runs: store.latestRuns,
    models: new Map(store.projects.values().map((project) => [project.id, project.model])),
  });
  /** Its tasks, both of two attempts too, each of which the filter may find. */
  readonly #every = $derived.by(() => {
    const project = this.#project();
    return store.tasks
      .values()
      .filter((task) => task.status !== 'archived' && (!project || task.projectId === project.id));
  });
  /** Its cards. */
  readonly own = $derived(folded(this.#every, store.tasks));
  /** What the filter finds; undefined while there is none. */
  readonly found = $derived.by(() => {
    const found = looks.shows(this.board)
      ? looks.engine?.find(this.#every, looks.filterOf(this.board), this.facts)
      : undefined;
    return found && { ...found, matches: folded(found.matches, store.tasks) };
  });
  readonly display = $derived(looks.displayOf(this.board));
  /** Who comes first in Running: those that need the person, unless they chose otherwise. */
  readonly #first = $derived(
    store.settings.looks.needsInPlace ? new Map<string, beckon.Question[]>() : store.urgentByTask,
  );
  /** The cards of each column by hand. */
  readonly #ranked = $derived(
    lanes(this.found?.matches ?? (this.pending ? [] : this.own), this.#first),
  );
  readonly lanes = $derived(
    this.display === plain
      ? this.#ranked
      : (looks.engine?.arrange(
          this.#ranked,
          this.display,
          { ...this.facts, waiting: this.#first },
          store.sortedProjects,
        ) ?? this.#ranked),
  );
  /** What each card shows. */
  readonly shows = $derived(
    store.settings.looks.hideSpent
      ? this.display.shows.filter((part) => part !== 'spent')
      : this.display.shows,
  );
  readonly #all = $derived(this.found && countLanes(this.own));

  /** How many cards a column has, those besides that the filter hides; undefined without a filter. */
  allOf(lane: Lane): number | undefined {
    return this.#all?.[lane];
  }

  readonly #names = $derived({
    projects: new Map(store.sortedProjects.map((project) => [project.id, project.name])),
  });
  /** Says the group of a card; undefined where there are none. */
  readonly groupOf = $derived.by(() => {
    const { group } = this.display;
    const { engine } = looks;
    return group === 'none' || !engine
      ? undefined
      : (task: beckon.Task) =>
          engine.groupOf(task, group, this.#names, (id) => store.projects.get(id)?.color ?? 1);
  });

  /** Whether only the heading of a column is shown. */
  folds(lane: Lane): boolean {
    return (
      (this.display.hideDone && lane === 'done') ||
      (this.display.hideEmpty && this.lanes[lane].length === 0)
    );
  }

  /** The rank of a place in a column, by the neighbours in the card's own group; 0, the end, where cards stand in no order of the person's. */
  rankOf(lane: Lane, task: beckon.Task, index: number): number {
    if (this.display.sort !== 'manual') return 0;
    const group = this.groupOf?.(task).key;
    return rankAt(
      this.lanes[lane],
      task.id,
      index,
      (one) => group === undefined || this.groupOf?.(one).key === group,
    );
  }

  /** How many cards of Running need the person: of those that are shown, and of all. */
  readonly needs = $derived(
    this.lanes.running.filter((task) => store.waitingByTask.has(task.id)).length,
  );
  readonly allNeeds = $derived(
    this.own.filter((task) => task.status === 'running' && store.waitingByTask.has(task.id)).length,
  );
}
