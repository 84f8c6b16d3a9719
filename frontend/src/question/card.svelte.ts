// What a question card does, apart from how it looks: its keys, its draft,
// and when its answer leaves.

import { flushSync } from 'svelte';
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { askerOf, doing, keyFor, store, theRouter, waits } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { changing } from './changing.svelte';
import { choicesOf, type VerdictChoice } from './choices';
import { leftMs } from './clock';
import * as drafting from './draft';
import type { Draft } from './draft';
import { drafts } from './drafts.svelte';
import { Debounce } from './debounce';
import { holding } from './holding.svelte';
import { moves } from './moves';
import { Paged } from './paged';
import type { Value } from './schema';
import { type Sent, sending } from './sending.svelte';
import { Sight } from './sight.svelte';
import { answerableLate, changeable, saidOf } from './words';

/** How long the second press of a destructive permission is waited for. */
const armedMs = 3000;

/** Card is one card and the question that it shows at the moment. */
export class Card extends Paged {
  readonly debounce = new Debounce();
  readonly sight = new Sight();
  /** The number of the choice that one more press makes; 0 for none. */
  armed = $state(0);
  /** Whether the field for own words is open where it does not stand on its own. */
  writing = $state(false);
  /** Whether it is to get two answers, each tried by an agent of its own. */
  two = $state(false);
  /** Whether there is room to choose them. */
  roomy = $state(false);
  /** Takes the keys while it is. */
  branchKeys: ((cap: string, event: KeyboardEvent) => boolean) | undefined;
  /** Focuses the field for own words; the body that shows one sets it. */
  focusText: () => void = () => {};

  #timer = 0;

  /** `late` is whether the person asked to answer what is settled already, `changes` that they change the answer that it has. */
  constructor(
    private readonly question: () => beckon.Question,
    private readonly late: () => boolean = () => false,
    private readonly changes = false,
  ) {
    super();
  }

  get q(): beckon.Question {
    return this.question();
  }

  get draft(): Draft {
    return drafts.of(this.q);
  }

  get sent(): Sent | undefined {
    return sending.of(this.q.id);
  }

  /** Whether the card takes an answer. */
  get open(): boolean {
    if (this.changes) return changeable(this.q) && sending.underWay(this.q) === undefined;
    const wanted = waits(this.q) || (this.late() && answerableLate(this.q));
    return (
      wanted && !this.inTerminal && !sending.isSent(this.q.id) && this.sent?.state !== 'elsewhere'
    );
  }

  /** Whether it is asked elsewhere, and can be answered only there. */
  get inTerminal(): boolean {
    return store.wayOf(this.q.id) === 'terminal';
  }

  /** Whether it is a permission whose dialog in a terminal the answer is typed into: it takes no words, but for those that are written already. */
  get wordless(): boolean {
    return (
      this.q.kind === 'permission' &&
      store.wayOf(this.q.id) === 'keys' &&
      this.draft.text.trim() === ''
    );
  }

  /** Whether its clock can be held or let go on. */
  get clocked(): boolean {
    return this.q.settlement === 'open' && leftMs(this.q, 0) !== null;
  }

  /** Whether the person may decline to answer. */
  get skippable(): boolean {
    return waits(this.q) && (this.q.kind === 'ask' || this.q.kind === 'elicitation');
  }

  /** Whether two answers can be tried: there are options, and the agent works in a worktree of its own. */
  get branchable(): boolean {
    const item = this.q.items.length === 1 ? this.q.items[0] : undefined;
    return (
      this.roomy &&
      waits(this.q) &&
      this.q.kind === 'ask' &&
      !this.changes &&
      !this.q.budget &&
      (item?.options.length ?? 0) > 1 &&
      (store.tasks.get(this.q.taskId)?.branch ?? '') !== ''
    );
  }

  /** What can be said to a permission or a plan, in the order of its keys. */
  get choices(): VerdictChoice[] {
    return choicesOf(this.q);
  }

  /** Whether it is answered in fields alone: a form, or a question without options. */
  get written(): boolean {
    return this.q.kind === 'elicitation' || (this.item?.options ?? this.choices).length === 0;
  }

  /** The verdict that Enter gives: words that were typed are those of a refusal. */
  get verdict(): beckon.Answer['verdict'] {
    if (this.q.kind === 'elicitation') return 'allow';
    return this.draft.verdict || (this.draft.text.trim() ? 'deny' : '');
  }

  /** Whether Enter sends rather than goes on to another item. */
  get last(): boolean {
    return this.draft.items.every((d, i) => i === this.page || drafting.answered(d));
  }

  /**
   * shown is called when a question appears or takes another's place. One that
   * the person went to is what they mean; one that `came` on its own may not be.
   */
  shown(came = true): void {
    if (came && !moves.led()) this.debounce.arm();
    this.sight.calm();
    this.disarm();
    this.writing = false;
    this.two = false;
  }

  /** Begins to choose two answers in place of one, or goes back to one; choosing holds the clock. */
  branch(): boolean {
    if (!this.open || !this.branchable) return false;
    this.two = !this.two;
    moves.note(false); // what comes next came on its own
    if (this.two) holding.write(this.q);
    return true;
  }

  /** Chooses an option of the shown item without sending. */
  pick(number: number): void {
    this.#keep(drafting.choose(this.q, this.draft, this.page, number));
  }

  type(text: string): void {
    this.#write(drafting.typeOther(this.q, this.draft, this.page, text));
  }

  note(text: string): void {
    this.#write(drafting.remark(this.draft, this.page, text));
  }

  toggleTyped(): void {
    this.#keep(drafting.toggleOther(this.q, this.draft, this.page));
  }

  /** Takes the reason of a denial, or what to change in a plan. */
  typeText(text: string): void {
    this.#write({ ...this.draft, text });
  }

  /** Takes a plan as it is edited; null puts it back to what the agent wrote. */
  editPlan(plan: string | null): void {
    this.#write({ ...this.draft, plan });
  }

  /** Opens the plan for editing. */
  openPlan(): boolean {
    if (this.draft.plan === null) this.#keep({ ...this.draft, plan: this.q.plan });
    return true;
  }

  goOnIn(mode: beckon.PermissionMode | ''): void {
    this.#keep({ ...this.draft, mode });
  }

  fill(name: string, value: Value): void {
    this.#write({ ...this.draft, form: { ...this.draft.form, [name]: value } });
  }

  stand(standing: boolean): void {
    this.#keep({ ...this.draft, standing });
  }

  /** Chooses what to say to a permission, by its number, without saying it. */
  pickChoice(number: number): void {
    const choice = this.choices[number - 1];
    this.disarm();
    // What can destroy work is never left chosen, in this window or another.
    if (choice && this.#takesTwo(choice.verdict)) this.#arm(number);
    else if (choice) this.#keep({ ...this.draft, ...choice });
  }

  /** Shows another item; reports whether there is one. */
  turn(page: number): boolean {
    if (page < 0 || page >= this.q.items.length) return false;
    this.#keep({ ...this.draft, page });
    this.writing = false;
    return true;
  }

  /** Goes on to the next item without an answer, or sends. */
  goOn(): boolean {
    if (!this.open) return false;
    const ready = this.choices[this.armed - 1];
    if (ready) return this.decide(ready.verdict, ready.project);
    if (this.q.items.length === 0) return this.decide(this.verdict, this.draft.project);
    if (!drafting.answered(this.itemDraft)) return false;
    if (!this.last) return this.turn(drafting.nextUnanswered(this.draft, this.page));
    return this.#leave(false);
  }

  /** Gives a verdict; a destructive one takes two presses. `undoable` leaves time to take it back, where the person wants that. */
  decide(verdict: beckon.Answer['verdict'], project = false, undoable = false): boolean {
    if (!this.open || verdict === '') return false;
    const number =
      1 + this.choices.findIndex((c) => c.verdict === verdict && c.project === project);
    if (this.#takesTwo(verdict) && this.armed !== number) {
      this.#arm(number);
      return true;
    }
    this.disarm();
    const draft = { ...this.draft, verdict, project };
    if (!this.#takesTwo(verdict)) this.#keep(draft);
    return this.#send(draft, undoable);
  }

  #takesTwo(verdict: beckon.Answer['verdict']): boolean {
    return this.q.permission?.destructive === true && verdict !== 'deny';
  }

  /** Declines to answer. */
  skip(): boolean {
    if (!this.open || !this.skippable) return false;
    return this.#send({ ...this.draft, verdict: 'skip' }, true);
  }

  hold(): boolean {
    if (!this.open || !this.clocked) return false;
    holding.toggle(this.q);
    return true;
  }

  /** Opens the field for own words and puts the cursor there. */
  write(): boolean {
    if (this.wordless) return false;
    // The field is there at once, so that the next letter is written in it.
    flushSync(() => (this.writing = true));
    this.focusText();
    return true;
  }

  /** Takes a key that was pressed anywhere on the page, or `inside` the card; reports whether it did something. */
  press(cap: string, event: KeyboardEvent, inside: boolean): boolean {
    if (this.open && this.two) return this.branchKeys?.(cap, event) ?? false;
    return this.open && this.#keys(inside)(cap, event);
  }

  #keys(inside: boolean) {
    return doing('question', {
      choose: (nth) => this.#digit(nth + 1),
      other: () => this.write(),
      send: (_, event) => this.#enter(event, inside),
      turn: (nth) => this.turn(this.page + (nth === 0 ? 1 : -1)),
      hold: () => this.hold(),
      skip: () => this.skippable && (this.refuses(keyFor('question', 'skip')) || this.skip()),
      editPlan: () => this.q.kind === 'plan' && this.openPlan(),
      tryTwo: () => this.branch(),
    });
  }

  /**
   * Reports whether a key or button may do nothing yet, and shows it: the
   * question has just come, or a key that `answers` it cannot be meant, since
   * not all of it is on the screen.
   */
  refuses(key: string, answers = false): boolean {
    if (!this.debounce.allows(key)) this.sight.refuse(key, 'changed');
    else if (answers && !this.sight.whole()) this.sight.refuse(key, 'unseen');
    else return false;
    return true;
  }

  /** A press on one of the numbered answers does what its key does. */
  tap(number: number): void {
    this.#digit(number);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    this.armed = 0;
  }

  #digit(number: number): boolean {
    const choice = this.choices[number - 1];
    if (!choice && !this.item?.options[number - 1]) return false;
    if (this.refuses(String(number), true)) return true;
    if (choice) return this.#choiceByKey(choice);
    this.pick(number);
    if (!this.changes && drafting.instant(this.q)) this.#leave(true);
    // Of several questions one choice is enough where only one can be made, and where no
    // note belongs to it.
    else if (this.item?.multiple === false && this.item.options.every((o) => o.preview === ''))
      this.#goOnByItself();
    return true;
  }

  /** Shows the next item without an answer; it has just come, so that a second press of the same key is not meant for it. */
  #goOnByItself(): void {
    if (this.turn(drafting.nextUnanswered(this.draft, this.page))) this.debounce.arm();
  }

  #choiceByKey({ verdict, project }: VerdictChoice): boolean {
    // A plan is sent back with what should change, or not at all.
    if (this.q.kind === 'plan' && verdict === 'deny' && !this.draft.text.trim())
      return this.write();
    return this.decide(verdict, project, true);
  }

  #enter(event: KeyboardEvent, inside: boolean): boolean {
    // Enter on a button or link is that button's or link's.
    if (event.target instanceof Element && event.target.closest('button, a, summary, [role="tab"]'))
      return false;
    if (this.refuses('Enter', true)) return true;
    if (this.q.kind === 'elicitation') return inside && this.goOn();
    if (this.q.kind !== 'plan') return this.goOn();
    if (this.draft.text.trim()) return this.decide('deny');
    return inside && this.decide('allow');
  }

  #arm(number: number): void {
    this.disarm();
    this.armed = number;
    this.#timer = window.setTimeout(() => this.disarm(), armedMs);
  }

  #leave(undoable: boolean): boolean {
    return this.#send(this.draft, undoable);
  }

  #send(draft: Draft, undoable: boolean): boolean {
    if (!drafting.complete(this.q, draft)) return false;
    const q = this.q;
    const answer = drafting.answerOf(q, draft);
    if (this.changes) {
      void changing.send(q, answer);
      return true;
    }
    if (!undoable) {
      sending.send(q.id, answer);
      return true;
    }
    sending.hold(q.id, answer, leftMs(q, Date.now()));
    if (sending.of(q.id)?.state === 'undoable') offerUndo(q, answer);
    else tellAnswered(q, answer);
    return true;
  }

  /** Writing takes longer than choosing, so it holds the clock. */
  #write(draft: Draft): void {
    this.#keep(draft);
    holding.write(this.q);
  }

  #keep(draft: Draft): void {
    drafts.set(this.q, draft);
  }
}

function offerUndo(q: beckon.Question, answer: beckon.Answer): void {
  const key = store.tasks.get(q.taskId)?.key ?? q.origin;
  toasts.show(
    answer.verdict === 'skip'
      ? t('question.skipping', { agent: askerOf(q), key })
      : t('question.goes', { answer: saidOf(q, answer), key }),
    {
      tone: 'ok',
      ms: store.settings.takeBackMs,
      action: {
        label: t('question.undo'),
        run: () =>
          toasts.show(
            sending.undo(q.id) ? t('question.backAgain', { key }) : t('question.tooLate'),
          ),
      },
    },
  );
}

/** Says what was answered, where the page does not show it itself as the Inbox does. */
function tellAnswered(q: beckon.Question, answer: beckon.Answer): void {
  if (theRouter().route.page === 'inbox') return;
  const key = store.tasks.get(q.taskId)?.key ?? q.origin;
  const can = changeable({ ...q, answer });
  toasts.show(
    answer.verdict === 'skip'
      ? t('question.skipping', { agent: askerOf(q), key })
      : t('question.gone', { answer: saidOf(q, answer), key }),
    {
      tone: 'ok',
      ms: can ? 10_000 : 4000,
      ...(can
        ? { action: { label: t('question.answerOtherwise'), run: () => void changing.open(q.id) } }
        : {}),
    },
  );
}
