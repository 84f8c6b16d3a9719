import { api, asBeckonError, type beckon } from '../bridge';
import { moment } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { oneLine } from '../text/plain';

/** What is shown of a commit's hash. */
const hashShown = 8;

/** One of the parts of a task's changes that can be shown. */
export interface Range {
  /** As in its address; empty for all since the base. */
  since: string;
  label: string;
  note: string;
  /** Why it cannot be shown, if so. */
  off?: string;
}

/** What a task's changes can be looked at by, as it was last read. */
export class Ranges {
  #read = $state.raw<beckon.ChangeRanges>({ reviewed: 0, turns: [], commits: [] });
  #reads = 0;

  constructor(private readonly taskId: string) {}

  /** Whether it was read. */
  known = false;
  #begun: (read: Promise<void>) => void = () => {};
  /** Resolves when the last read is over, or the first one: a turn may have ended just before it. */
  read: Promise<void> = new Promise((done) => (this.#begun = done));

  /** Reads it again; of several reads the last counts. What is gone says so when it is shown. */
  load(): void {
    this.read = this.#load();
    this.#begun(this.read);
  }

  async #load(): Promise<void> {
    const read = ++this.#reads;
    try {
      const found = await api.changeRanges(this.taskId);
      if (read === this.#reads) this.#read = found;
    } catch (thrown) {
      console.warn('the parts of the changes cannot be read', asBeckonError(thrown));
    }
    this.known = true;
  }

  /** All, the newest turns and commits first. */
  list(base: string, now: number): Range[] {
    const { reviewed, turns, commits } = this.#read;
    return [
      { since: '', label: t('review.sinceBase'), note: t('review.sinceBaseText', { base }) },
      {
        since: 'review',
        label: t('review.sinceReview'),
        ...noteOf(
          reviewed > 0,
          t('review.sinceReviewText', { at: moment(reviewed, now) }),
          t('review.neverReviewed'),
        ),
      },
      ...turns.toReversed().map((turn) => ({
        since: `turn-${turn.number}`,
        label: t('review.turnNumber', { number: turn.number }),
        ...noteOf(
          turn.state !== 'unrecorded',
          [
            moment(turn.began, now),
            ...(turn.state === 'running' ? [t('review.turnRuns')] : []),
            oneLine(turn.text),
          ]
            .filter(Boolean)
            .join(' · '),
          t('review.turnUnrecorded'),
        ),
      })),
      ...commits.map((commit) => ({
        since: `commit-${commit.hash}`,
        label: t('review.commitNamed', { hash: commit.hash.slice(0, hashShown) }),
        note: oneLine(commit.subject),
      })),
    ];
  }

  /** The turn of a part of the changes, if it is one. */
  turn(since: string): beckon.ChangeTurn | undefined {
    return this.#read.turns.find((turn) => since === `turn-${turn.number}`);
  }

  /** Whether there is a turn. */
  get turned(): boolean {
    return this.#read.turns.length > 0;
  }

  /** The part beside one: turns that can be shown, in order, and behind the newest one all since the base. */
  beside(since: string, by: 1 | -1): string | undefined {
    const turns = this.#read.turns
      .filter((turn) => turn.state !== 'unrecorded')
      .map((turn) => turn.number);
    const at = Number(/^turn-(\d+)$/.exec(since)?.[1] ?? Infinity);
    const next =
      by === 1 ? turns.find((number) => number > at) : turns.findLast((number) => number < at);
    if (next !== undefined) return `turn-${next}`;
    return by === 1 && at !== Infinity ? '' : undefined;
  }
}

function noteOf(on: boolean, note: string, why: string): { note: string; off?: string } {
  return on ? { note } : { note: why, off: why };
}

/** Whether lines of a side of a file are those of today's work, which comments are about. */
export function isToday(since: string, file: beckon.FileDiff, side: beckon.CommentSide): boolean {
  return since === '' || (side === 'after' && !file.past);
}
