// What a question card does, apart from how it looks: its keys, its draft,
// and when its answer leaves.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { store, waits } from '../state';
import { toasts } from '../ui/toasts.svelte';
import { leftMs } from './clock';
import { type Draft, type ItemDraft, answerOf, answered, choose, complete, instant, nextUnanswered, toggleOther, typeOther } from './draft';
import { drafts } from './drafts.svelte';
import { Guard } from './guard';
import { type Sent, sending } from './sending.svelte';
import { saidOf } from './words';

/** How long the second press of a destructive permission is waited for. */
const armedMs = 3000;

/** Card is one card and the question that it shows at the moment. */
export class Card {
  readonly guard = new Guard();
  /** The verdict that one more press gives. */
  armed = $state<beckon.Answer['verdict']>('');
  /** Whether the field for own words is open where it does not stand by itself. */
  writing = $state(false);
  /** Focuses the field for own words; the body that shows one sets it. */
  focusText: () => void = () => {};

  #timer = 0;

  constructor(private readonly question: () => beckon.Question) {}

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
    return waits(this.q) && !sending.away(this.q.id) && this.sent?.state !== 'elsewhere';
  }

  get page(): number {
    return Math.max(0, Math.min(this.draft.page, this.q.items.length - 1));
  }

  get item(): beckon.QuestionItem | undefined {
    return this.q.items[this.page];
  }

  get itemDraft(): ItemDraft | undefined {
    return this.draft.items[this.page];
  }

  /** The verdicts that can be given, in the order of their keys. */
  get verdicts(): Exclude<beckon.Verdict, 'skip'>[] {
    if (this.q.kind === 'permission') return this.q.permission?.always ? ['allow', 'allowAlways', 'deny'] : ['allow', 'deny'];
    return this.q.kind === 'plan' ? ['allow', 'deny'] : [];
  }

  /** The verdict that Enter gives: words that were typed are those of a refusal. */
  get verdict(): beckon.Answer['verdict'] {
    return this.draft.verdict || (this.draft.text.trim() ? 'deny' : '');
  }

  /** Whether Enter sends rather than goes on to another item. */
  get last(): boolean {
    return this.draft.items.every((d, i) => i === this.page || answered(d));
  }

  /** shown is called when a question appears or takes another's place. */
  shown(): void {
    this.guard.arm();
    this.disarm();
    this.writing = false;
  }

  /** Chooses an option of the shown item without sending. */
  pick(number: number): void {
    this.#keep(choose(this.q, this.draft, this.page, number));
  }

  type(text: string): void {
    this.#keep(typeOther(this.q, this.draft, this.page, text));
  }

  toggleTyped(): void {
    this.#keep(toggleOther(this.q, this.draft, this.page));
  }

  /** Takes the reason of a denial, or what to change in a plan. */
  typeText(text: string): void {
    this.#keep({ ...this.draft, text });
  }

  pickVerdict(verdict: beckon.Verdict): void {
    this.disarm();
    this.#keep({ ...this.draft, verdict });
  }

  /** Shows another item; tells whether there is one. */
  turn(page: number): boolean {
    if (page < 0 || page >= this.q.items.length) return false;
    this.#keep({ ...this.draft, page });
    this.writing = false;
    return true;
  }

  /** Goes on to the next item without an answer, or sends. */
  goOn(): boolean {
    if (!this.open) return false;
    if (this.q.items.length === 0) return this.decide(this.verdict);
    if (!answered(this.itemDraft)) return false;
    if (!this.last) return this.turn(nextUnanswered(this.draft, this.page));
    return this.#leave(false);
  }

  /** Gives a verdict; a destructive one takes two presses. `undoable` leaves time to take it back. */
  decide(verdict: beckon.Answer['verdict'], undoable = false): boolean {
    if (!this.open || verdict === '') return false;
    this.#keep({ ...this.draft, verdict });
    if (this.q.permission?.destructive && verdict !== 'deny' && this.armed !== verdict) {
      this.#arm(verdict);
      return true;
    }
    this.disarm();
    return this.#leave(undoable);
  }

  /** Takes a key that was pressed anywhere on the page; tells whether it did something. */
  press(key: string, event: KeyboardEvent, inside: boolean): boolean {
    if (!this.open) return false;
    if (/^[1-9]$/.test(key)) return this.#digit(Number(key));
    if (key === 'o') return this.#write();
    if (key === 'j' || key === 'k') return this.turn(this.page + (key === 'j' ? 1 : -1));
    return key === 'Enter' && this.#enter(event, inside);
  }

  /** A press on one of the numbered answers does what its key does. */
  tap(number: number): void {
    this.#digit(number);
  }

  disarm(): void {
    clearTimeout(this.#timer);
    this.armed = '';
  }

  #digit(number: number): boolean {
    const verdict = this.verdicts[number - 1];
    if (!verdict && !this.item?.options[number - 1]) return false;
    if (!this.guard.allows(String(number))) return true;
    if (verdict) return this.#verdictByKey(verdict);
    this.pick(number);
    if (instant(this.q)) this.#leave(true);
    return true;
  }

  #verdictByKey(verdict: beckon.Verdict): boolean {
    // A plan is sent back with what should change, or not at all.
    if (this.q.kind === 'plan' && verdict === 'deny' && !this.draft.text.trim()) return this.#write();
    return this.decide(verdict, true);
  }

  #enter(event: KeyboardEvent, inside: boolean): boolean {
    // Enter on a button or link is that button's or link's.
    if (event.target instanceof Element && event.target.closest('button, a, summary, [role="tab"]')) return false;
    if (!this.guard.allows('Enter')) return true;
    if (this.q.kind !== 'plan') return this.goOn();
    if (this.draft.text.trim()) return this.decide('deny');
    return inside && this.decide('allow');
  }

  #write(): boolean {
    this.writing = true;
    // After the field is there.
    queueMicrotask(() => setTimeout(() => this.focusText()));
    return true;
  }

  #arm(verdict: beckon.Answer['verdict']): void {
    this.disarm();
    this.armed = verdict;
    this.#timer = window.setTimeout(() => this.disarm(), armedMs);
  }

  #leave(undoable: boolean): boolean {
    if (!complete(this.q, this.draft)) return false;
    const q = this.q;
    const answer = answerOf(this.draft);
    if (!undoable) {
      sending.send(q.id, answer);
      return true;
    }
    sending.hold(q.id, answer, leftMs(q, Date.now()));
    if (sending.of(q.id)?.state === 'undoable') offerUndo(q, answer);
    return true;
  }

  #keep(draft: Draft): void {
    drafts.set(this.q, draft);
  }
}

function offerUndo(q: beckon.Question, answer: beckon.Answer): void {
  const key = store.tasks.get(q.taskId)?.key ?? '';
  toasts.show(t('question.goes', { answer: saidOf(q, answer), key }), {
    tone: 'ok',
    ms: 4000,
    action: {
      label: t('question.undo'),
      run: () => toasts.show(sending.undo(q.id) ? t('question.backAgain', { key }) : t('question.tooLate')),
    },
  });
}
