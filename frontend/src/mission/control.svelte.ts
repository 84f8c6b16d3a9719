import { SvelteSet } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { store, type Command } from '../state';
import { agentsOf } from './agents';
import { arrange, bring, moved, stillRemoved, type Agents } from './places';

/** How long changes are gathered before they are saved. */
const saveAfterMs = 300;
/** How long after the last letter somebody still counts as typing. */
const typingMs = 2000;

/** Something that the person has in hand, during which no pane changes its place on its own. */
type Hand = 'drag' | 'menu' | 'typing';

/**
 * Mission Control as this page shows it: which panes stand where, and which
 * has the focus. Beckon keeps it and tells all windows; what the person
 * changes here holds at once and is saved a moment later.
 */
export class Control {
  /** The task whose pane has the focus, or had it last. */
  focus = $state('');
  #shown = $state.raw<beckon.Mission>(store.mission);
  /** What the person changed here and has not come back yet; it stands against what other windows do. */
  #wish = $state.raw<beckon.Mission | undefined>();
  /** What Beckon had told when the wish was sent; undefined before. */
  #sentOver: beckon.Mission | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #hands = new SvelteSet<Hand>();

  readonly agents: Agents = $derived(
    agentsOf(
      store.tasks.values(),
      store.latestRuns,
      store.urgent,
      store.sessions.values(),
      (session) => store.waitingOf(session)[0],
    ),
  );
  readonly layout = $derived(this.#shown.layout);
  /** The task whose pane fills everything, or empty. */
  readonly maximised = $derived(
    this.#shown.panes.some((pane) => pane.taskId === this.#shown.maximised)
      ? this.#shown.maximised
      : '',
  );
  /** The panes in view, in order. */
  readonly visible = $derived(
    this.maximised === ''
      ? this.#shown.panes.slice(0, this.layout)
      : this.#shown.panes.filter((pane) => pane.taskId === this.maximised),
  );

  /** Brings the panes up to the agents and to what other windows did; an effect calls it. */
  settle(): void {
    const told = store.mission;
    if (this.#sentOver !== undefined && told !== this.#sentOver) this.#forgetWish();
    const base = this.#wish ?? told;
    const panes = arrange(base.panes, base.layout, this.agents, this.focus, base.removed);
    if (this.#hands.size > 0) return;
    const next = { ...base, panes, removed: stillRemoved(base.removed, panes, this.agents) };
    if (!same(next, this.#shown)) this.#shown = next;
    // Agents change all the time; what waits to be saved is not put off by that.
    if (!same(next, base)) this.#saving ??= setTimeout(() => void this.#send(), saveAfterMs);
  }

  /** Puts up or takes down the sign that something is in hand. */
  hold(hand: Hand, on: boolean): void {
    if (on) this.#hands.add(hand);
    else this.#hands.delete(hand);
  }

  /** Notes that a letter was typed. */
  typed(): void {
    this.hold('typing', true);
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.hold('typing', false), typingMs);
  }

  setLayout(layout: number): void {
    this.#change({ ...this.#shown, layout, maximised: '' });
    if (!this.visible.some((pane) => pane.taskId === this.focus))
      this.focus = this.visible[0]?.taskId ?? '';
  }

  /** Has a pane fill everything, or all stand side by side again. */
  maximise(taskId: string): void {
    this.#change({ ...this.#shown, maximised: this.maximised === taskId ? '' : taskId });
  }

  pin(taskId: string): void {
    const panes = this.#shown.panes.map((pane) =>
      pane.taskId === taskId ? { ...pane, pinned: !pane.pinned } : pane,
    );
    this.#change({ ...this.#shown, panes });
  }

  /** Takes a pane away; a live agent's comes back with its next question, or when it is asked for. */
  remove(taskId: string): void {
    const at = this.visible.findIndex((pane) => pane.taskId === taskId);
    if (this.focus === taskId)
      this.focus = (this.visible[at + 1] ?? this.visible[at - 1])?.taskId ?? '';
    const panes = this.#shown.panes.filter((pane) => pane.taskId !== taskId);
    this.#change({
      ...this.#shown,
      panes,
      removed: [...this.#without(taskId), taskId],
      maximised: '',
    });
  }

  /** Brings a task into view and gives it the focus. */
  show(taskId: string): void {
    const panes = bring(this.#shown.panes, this.layout, this.agents, taskId, this.focus);
    const inView = panes.slice(0, this.layout).some((pane) => pane.taskId === taskId);
    // Where every pane is pinned it is shown alone.
    const maximised = this.maximised !== '' || !inView ? taskId : '';
    this.focus = taskId;
    this.#change({ ...this.#shown, panes, removed: this.#without(taskId), maximised });
  }

  /** Moves a pane to a place in view. */
  move(taskId: string, to: number): void {
    this.#change({ ...this.#shown, panes: moved(this.#shown.panes, taskId, to) });
  }

  /** A pane's places in view, besides its own, for whom does not drag it. */
  moves(taskId: string): Command[] {
    const places = this.visible.flatMap((pane, place) => (pane.taskId === taskId ? [] : [place]));
    return places.map((place) => ({
      label: t('palette.paneTo', { n: String(place + 1) }),
      run: () => this.move(taskId, place),
    }));
  }

  /** Saves what is not saved yet, when the page is left. */
  close(): void {
    clearTimeout(this.#typing);
    if (this.#saving !== undefined) void this.#send();
  }

  #without(taskId: string): string[] {
    return this.#shown.removed.filter((id) => id !== taskId);
  }

  #change(next: beckon.Mission): void {
    if (same(next, this.#shown)) return;
    this.#shown = next;
    this.#wish = next;
    this.#sentOver = undefined;
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#send(), saveAfterMs);
  }

  async #send(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (same(this.#shown, store.mission)) return this.#forgetWish();
    if (this.#wish !== undefined) this.#sentOver = store.mission;
    // Without Beckon the panes stand as they do; the next change tells it.
    await api.saveMission(this.#shown).catch(() => {});
  }

  #forgetWish(): void {
    this.#wish = undefined;
    this.#sentOver = undefined;
  }
}

function same(a: beckon.Mission, b: beckon.Mission): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
