import type { beckon } from '../bridge';
import { Offsets } from '../ui/offsets';

/** The gap of the list, which its style sheet has, too; and a guess at a card that was not measured yet. */
const gap = 8;
const guess = 104;
/** How many pixels beyond the view cards are drawn, and by how many it scrolls until others are. */
const overscan = 600;
const step = 200;
/** Below it two measurements differ by rounding alone. */
const leastChange = 0.1;

/**
 * Which cards of a column are drawn: those about the view, and one that is kept
 * with its neighbours, wherever it is, because it has the focus. Each leaves
 * room above it for those that are not drawn. What the person looks at stays
 * where it is when cards above it come, grow or go.
 */
export class CardWindow {
  #heights = new Map<string, number>();
  #version = $state(0);
  #top = $state(0);
  #viewHeight = $state(innerHeight);
  #scroller: HTMLElement | undefined;
  /** How far the list is scrolled, and where the cards in sight were then. */
  #scrolled = 0;
  #seen = new Map<string, number>();
  #held = false;
  /** Cards that were drawn where a guess put them. */
  #fresh = new Set<Element>();

  readonly #offsets = $derived.by(() => {
    const offsets = new Offsets();
    offsets.set(this.list().map((task) => (this.#heights.get(task.id) ?? guess) + gap));
    return offsets;
  });
  readonly #keptAt = $derived.by(() =>
    this.kept() === '' ? -1 : this.list().findIndex((task) => task.id === this.kept()),
  );

  /** The places of the drawn cards in the list. */
  readonly places = $derived.by(() => {
    void this.#version;
    const count = this.list().length;
    if (count === 0) return [];
    const from = this.#offsets.at(Math.max(0, this.#top - overscan));
    const to = this.#offsets.at(this.#top + this.#viewHeight + overscan);
    const kept =
      this.#keptAt < 0
        ? []
        : [this.#keptAt - 1, this.#keptAt, this.#keptAt + 1].filter((at) => at >= 0 && at < count);
    const drawn = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    return [...kept.filter((at) => at < from), ...drawn, ...kept.filter((at) => at > to)];
  });

  /** `list` are the cards, `kept` is the id of one that is always drawn, and `held` reports whether a pointer moves a card. */
  constructor(
    private readonly list: () => beckon.Task[],
    private readonly kept: () => string,
    private readonly held: () => boolean,
  ) {}

  /** The room above the nth of the drawn cards. */
  above(nth: number): number {
    void this.#version;
    const before = nth === 0 ? 0 : this.#offsets.top(this.places[nth - 1]! + 1);
    return this.#offsets.top(this.places[nth]!) - before;
  }

  /** The room below the last one. */
  get below(): number {
    void this.#version;
    return this.#offsets.total - this.#offsets.top((this.places.at(-1) ?? -1) + 1);
  }

  /** What scrolls, which has the list in it. */
  readonly scrolls = (scroller: HTMLElement) => {
    const look = () => this.#look(scroller);
    const size = new ResizeObserver(() => {
      this.#viewHeight = scroller.clientHeight;
      look();
    });
    this.#scroller = scroller;
    size.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', look);
      size.disconnect();
      this.#sizes.disconnect();
    };
  };

  /** A card in its list. */
  readonly measured = (id: string) => (element: HTMLElement) => {
    this.#ids.set(element, id);
    this.#fresh.add(element);
    this.#sizes.observe(element);
    return () => {
      this.#fresh.delete(element);
      this.#sizes.unobserve(element);
    };
  };

  /** Keeps what is in sight where it is; called after the list was drawn. */
  settle(): void {
    // The observer would, but of cards that come of its own doing only a paint later.
    this.#resize([...this.#fresh].map((card) => [card, card.getBoundingClientRect().height]));
    this.#fresh.clear();
    const held = this.held();
    // What a pointer takes out or puts in moves others on purpose.
    const shift = held || this.#held || this.#scrolled <= 0 ? 0 : this.#shift();
    this.#held = held;
    if (shift !== 0) this.#scroller!.scrollTop += shift;
    if (this.#scroller) this.#look(this.#scroller);
  }

  #ids = new WeakMap<Element, string>();
  #sizes = new ResizeObserver((entries) =>
    this.#resize(
      entries.map(({ target, borderBoxSize }) => [target, borderBoxSize[0]?.blockSize ?? 0]),
    ),
  );

  #resize(cards: [Element, number][]): void {
    const places = new Map(this.places.map((at) => [this.list()[at]!.id, at]));
    let changed = false;
    for (const [card, height] of cards) {
      const id = this.#ids.get(card)!;
      if (height === 0 || Math.abs((this.#heights.get(id) ?? 0) - height) < leastChange) continue;
      this.#heights.set(id, height);
      const at = places.get(id);
      if (at !== undefined) this.#offsets.resize(at, height + gap);
      changed = true;
    }
    if (changed) this.#version++;
  }

  #look(scroller: HTMLElement): void {
    const list = scroller.querySelector(':scope > ul');
    if (!list) return;
    this.#scrolled = scroller.getBoundingClientRect().top - list.getBoundingClientRect().top;
    this.#top = Math.round(Math.max(0, this.#scrolled) / step) * step;
    this.#seen.clear();
    const end = this.#scrolled + this.#viewHeight;
    for (const at of this.places) {
      const top = this.#offsets.top(at);
      if (top >= this.#scrolled && top < end) this.#seen.set(this.list()[at]!.id, top);
    }
  }

  /** By how much the card in sight has moved that moved least: others may have been put elsewhere. */
  #shift(): number {
    let least = Infinity;
    this.list().forEach(({ id }, at) => {
      const was = this.#seen.get(id);
      if (was === undefined) return;
      const by = this.#offsets.top(at) - was;
      if (Math.abs(by) < Math.abs(least)) least = by;
    });
    return Number.isFinite(least) ? least : 0;
  }
}
