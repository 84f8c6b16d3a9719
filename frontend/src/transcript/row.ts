import type { beckon } from '../bridge';

/** Row is one thing in the transcript's column. */
export type Row =
  | {
      kind: 'user' | 'text' | 'thinking' | 'notice' | 'turn';
      id: string;
      depth: number;
      entry: beckon.Entry;
    }
  | { kind: 'tools'; id: string; depth: number; entries: beckon.Entry[] }
  /** A sub-agent: the call that began it; what it did follows where it is open. */
  | {
      kind: 'agent';
      id: string;
      depth: number;
      entry: beckon.Entry;
      steps: number;
      latest: beckon.Entry | undefined;
    }
  | {
      kind: 'asked';
      id: string;
      depth: number;
      question: beckon.Question;
      entry: beckon.Entry | null;
    }
  | { kind: 'live'; id: string; depth: number; live: beckon.Live }
  /** The agent works, and nothing of it is to be seen yet. */
  | { kind: 'busy'; id: string; depth: number; activity: beckon.Activity };
