// What crosses between Beckon and the phone's page. Times are Unix milliseconds
// by Beckon's clock.

import type { beckon } from '../bridge';

/** Me is this device, as Beckon knows it. `host` is empty before it is confirmed. */
export interface Me {
  name: string;
  confirmed: boolean;
  host: string;
  rights: beckon.Rights;
  push: boolean;
}

/** Paired is what a new device gets once: its key goes with each request, beside the cookie. */
export interface Paired extends Me {
  key: string;
}

/** Asked is a question that waits, and what people know it by. */
export interface Asked {
  question: beckon.Question;
  key: string;
  title: string;
  project: { name: string; color: number };
  /** Which agent asks: its kind, empty for Claude Code, and what it is called. What an older Beckon sent has none. */
  agent?: { kind: string; says: string };
}

/** Answered is how a question ended. `mine`: by this device. */
export interface Answered {
  id: string;
  kind: beckon.QuestionKind;
  title: string;
  key: string;
  /** Its words; empty where the verdict says it all. */
  answer: string;
  verdict: beckon.Answer['verdict'];
  by: beckon.Answer['by'];
  byName: string;
  at: number;
  mine: boolean;
  settlement: beckon.Settlement;
  /** An agent decided it without asking. */
  unasked: boolean;
}

export interface Inbox {
  host: string;
  /** When it was so. */
  now: number;
  waiting: Asked[];
  answered: Answered[];
}

/** Card is a question whole, and what its agent did before. */
export interface Card {
  asked: Asked;
  before: { tools: { name: string; text: string }[]; text: string };
  lines: { kind: string; text: string }[];
}
