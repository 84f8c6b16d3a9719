import { keyFor, type Lane } from '../state';

/** The key that an empty column teaches. */
export const hintKeys: Record<Lane, string> = {
  backlog: keyFor('board', 'quickAdd'),
  queued: keyFor('card', 'queue'),
  running: keyFor('everywhere', 'answerNext'),
  review: keyFor('card', 'open'),
  done: keyFor('card', 'archive'),
};
