import { keyFor, type Lane } from '../state';

/** The key that an empty column teaches. */
export function hintKey(lane: Lane): string {
  switch (lane) {
    case 'backlog':
      return keyFor('board', 'quickAdd');
    case 'queued':
      return keyFor('card', 'queue');
    case 'running':
      return keyFor('everywhere', 'answerNext');
    case 'review':
      return keyFor('card', 'open');
    case 'done':
      return keyFor('card', 'archive');
  }
}
