// The numbers that are shown: those that were read, and which of them were picked.

import { api, type beckon } from '../bridge';
import { groupsBy, sum, valueOf, type Group, type Measure, type Sums } from './sums';

export const spans = [7, 30, 84] as const;
export type Span = (typeof spans)[number];

/** What facts are picked by; undefined picks all. */
export interface Picked {
  /** The id of a project; empty for sessions elsewhere. */
  project: string | undefined;
  /** An agent and its model, as partOf names them. */
  part: string | undefined;
  machine: string | undefined;
  day: string | undefined;
}

/** Names the agent and the model of a fact. */
export const partOf = (fact: beckon.NumbersSubject) => `${fact.agent}\n${fact.model}`;

export class Numbers {
  span = $state<Span>(30);
  measure = $state<Measure>('cost');
  picked = $state<Picked>({
    project: undefined,
    part: undefined,
    machine: undefined,
    day: undefined,
  });
  failed = $state(false);
  #read = $state.raw<{ span: Span; numbers: beckon.Numbers }>();

  /** Undefined until they were read. */
  readonly whole = $derived(this.#read?.numbers);
  /** The days that are shown, the oldest first; as many were before them. */
  readonly days = $derived(this.whole?.days.slice(-(this.#read?.span ?? 0)) ?? []);
  /** Whether nothing is left out but other days. */
  readonly all = $derived(
    [this.picked.project, this.picked.part, this.picked.machine].every((one) => one === undefined),
  );
  readonly #of = $derived(
    (this.whole?.facts ?? []).filter((fact) => this.#passes(fact, ['project', 'part', 'machine'])),
  );
  readonly #first = $derived(this.days[0] ?? '');
  /** The facts that are picked of all days that are shown. */
  readonly facts = $derived(this.#of.filter(({ day }) => day >= this.#first));
  readonly sums = $derived(sum(this.facts));
  /** The sums of as many days before. */
  readonly before = $derived(sum(this.#of.filter(({ day }) => day < this.#first)));
  /** The measure of each day. */
  readonly bars = $derived.by(() => {
    const byDay = new Map<string, Sums>(
      groupsBy(this.facts, this.measure, ({ day }) => day).map(({ id, sums }) => [id, sums]),
    );
    return this.days.map((day) => {
      const sums = byDay.get(day);
      return { day, value: sums ? valueOf(this.measure, sums) : 0 };
    });
  });
  readonly tasks = $derived(
    groupsBy(
      this.facts.filter(({ day, taskId }) => taskId !== '' && this.#ofDay(day)),
      this.measure,
      ({ taskId }) => taskId,
    ),
  );

  /** Groups what is picked by all but what is grouped by. */
  groups(
    by: 'project' | 'part' | 'machine',
    nameOf: (fact: beckon.NumbersFact) => string,
  ): Group[] {
    const others = (['project', 'part', 'machine'] as const).filter((one) => one !== by);
    const facts = (this.whole?.facts ?? []).filter(
      (fact) => fact.day >= this.#first && this.#ofDay(fact.day) && this.#passes(fact, others),
    );
    return groupsBy(facts, this.measure, nameOf);
  }

  async read(): Promise<void> {
    const span = this.span;
    try {
      const numbers = await api.numbers(2 * span);
      if (span !== this.span) return;
      this.#read = { span, numbers };
      this.failed = false;
      if (this.picked.day && !this.days.includes(this.picked.day)) this.picked.day = undefined;
    } catch {
      this.failed = span === this.span;
    }
  }

  #ofDay(day: string): boolean {
    return this.picked.day === undefined || this.picked.day === day;
  }

  #passes(fact: beckon.NumbersFact, by: readonly ('project' | 'part' | 'machine')[]): boolean {
    const { project, part, machine } = this.picked;
    return by.every((one) => {
      if (one === 'project') return project === undefined || project === fact.projectId;
      if (one === 'part') return part === undefined || part === partOf(fact);
      return machine === undefined || machine === fact.executor;
    });
  }
}
