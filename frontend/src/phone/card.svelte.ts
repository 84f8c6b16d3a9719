// One question on the phone: what is chosen, what may be pressed, and what is
// said by it.

import type { beckon } from '../bridge';
import { type Choice, choicesFor } from './choices';
import { leftMs } from '../question/clock';
import { Debounce } from '../question/debounce';
import * as drafting from '../question/draft';
import type { Draft } from '../question/draft';
import { Paged } from '../question/paged';
import { saidOf } from '../question/said';
import type { Value } from '../question/schema';
import { drafts } from './drafts.svelte';
import { sending } from './sending.svelte';
import { time } from './time.svelte';
import { nameOf, saysOf } from './words';
import type { Asked } from './types';

/** How long a first press on what destroys counts, in milliseconds. */
const armedMs = 5000;

export class Card extends Paged {
  /** Whether the first of two presses was made. */
  armed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `debounce` knows since when what is shown is there, whichever card shows it. */
  constructor(
    private readonly asked: () => Asked,
    private readonly debounce = new Debounce(),
  ) {
    super();
  }

  get q(): beckon.Question {
    return this.asked().question;
  }

  /** What the agent that asks is called. */
  get agent(): string {
    return saysOf(this.asked());
  }

  get draft(): Draft {
    return drafts.of(this.q);
  }

  /** What can be said to a permission or a plan. */
  get choices(): Choice[] {
    return choicesFor(this.q);
  }

  /** The number of the one that is chosen, from 1; 0 for none. */
  get chosen(): number {
    const { verdict, project, mode } = this.draft;
    return (
      1 +
      this.choices.findIndex(
        (c) => c.verdict === verdict && c.project === project && c.mode === mode,
      )
    );
  }

  /** Whether this press goes on to another item rather than sends. */
  get more(): boolean {
    return this.draft.items.some((d, i) => i !== this.page && !drafting.answered(d));
  }

  /** Whether the shown part has an answer. */
  get ready(): boolean {
    if (this.q.kind === 'ask') return drafting.answered(this.itemDraft);
    if (this.q.kind === 'elicitation')
      return drafting.complete(this.q, { ...this.draft, verdict: 'allow' });
    // A plan is sent back with what should change, or not at all.
    if (this.q.kind === 'plan' && this.draft.verdict === 'deny')
      return this.draft.text.trim() !== '';
    return this.chosen > 0;
  }

  /** Whether what is chosen could destroy work. */
  get destroys(): boolean {
    return (
      this.q.permission?.destructive === true &&
      (this.draft.verdict === 'allow' || this.draft.verdict === 'allowAlways')
    );
  }

  get clocked(): boolean {
    return this.q.settlement === 'open' && leftMs(this.q, 0) !== null;
  }

  get skippable(): boolean {
    return this.q.kind === 'ask' || this.q.kind === 'elicitation';
  }

  /**
   * A tap on one of the answers: one that is enough is sent, with the time to take it back, and of
   * several questions the next is shown. What destroys, and a plan that is to change, need more.
   * Reports whether it was sent.
   */
  tap(number: number): boolean {
    if (sending.has(this.q.id) || !this.debounce.allows('tap')) return false;
    if (this.q.kind === 'ask') {
      this.pick(number);
      const shows = this.item?.options.some((o) => o.preview !== '') ?? false;
      if (this.item?.multiple || shows) return false;
      if (this.q.items.length === 1) return this.goOn();
      if (this.more) {
        this.turn(drafting.nextUnanswered(this.draft, this.page));
        this.debounce.arm(); // a second tap is not meant for what has just come
      }
      return false;
    }
    this.choose(number);
    return this.ready && this.goOn();
  }

  pick(number: number): void {
    this.#keep(drafting.choose(this.q, this.draft, this.page, number));
  }

  type(text: string): void {
    this.#keep(drafting.typeOther(this.q, this.draft, this.page, text));
  }

  choose(number: number): void {
    const choice = this.choices[number - 1];
    this.disarm();
    if (choice)
      this.#keep({
        ...this.draft,
        verdict: choice.verdict,
        project: choice.project,
        mode: choice.mode,
      });
  }

  /** The reason of a denial, or what should change in a plan: who writes it means that. */
  typeText(text: string): void {
    const says = text.trim() !== '' && this.draft.text.trim() === '';
    this.#keep({
      ...this.draft,
      text,
      ...(says ? ({ verdict: 'deny', project: false, mode: '' } as const) : {}),
    });
  }

  fill(name: string, value: Value): void {
    this.#keep({ ...this.draft, form: { ...this.draft.form, [name]: value } });
  }

  turn(page: number): void {
    this.#keep({ ...this.draft, page });
  }

  /** Goes on to the next item, or sends; reports whether it was sent. */
  goOn(): boolean {
    if (!this.ready) return false;
    if (this.q.kind === 'ask' && this.more) {
      this.turn(drafting.nextUnanswered(this.draft, this.page));
      return false;
    }
    if (this.q.kind === 'elicitation')
      return this.#send({ ...this.draft, verdict: 'allow' }, false);
    if (this.destroys && !this.armed) return this.#arm();
    return this.#send(this.draft, this.destroys);
  }

  skip(): boolean {
    return this.#send({ ...this.draft, verdict: 'skip' }, false);
  }

  /** Declines a form. */
  decline(): boolean {
    return this.#send({ ...this.draft, verdict: 'deny' }, false);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    this.armed = false;
  }

  #arm(): false {
    this.armed = true;
    this.#timer = setTimeout(() => this.disarm(), armedMs);
    return false;
  }

  #send(draft: Draft, sure: boolean): boolean {
    if (!drafting.complete(this.q, draft)) return false;
    this.disarm();
    const answer = drafting.answerOf(this.q, draft);
    const left = this.q.heldMs > 0 ? null : leftMs(this.q, time.now);
    sending.answer(
      { id: this.q.id, key: nameOf(this.asked()) },
      answer,
      sure,
      saidOf(this.q, answer),
      left,
    );
    return true;
  }

  #keep(draft: Draft): void {
    drafts.set(this.q.id, draft);
  }
}
