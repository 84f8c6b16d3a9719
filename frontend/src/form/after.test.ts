import { expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';
import { offersFor } from './after';

vi.mock('../state', async () => await import('../state/views'));

function board(...cards: (Partial<beckon.Task> & { id: string })[]) {
  return new Map(
    cards.map((card, i) => [
      card.id,
      {
        key: `KES-${i + 1}`,
        number: i + 1,
        title: `Card ${card.id}`,
        projectId: 'p',
        status: 'backlog',
        archivedFrom: '',
        after: '',
        ...card,
      } as beckon.Task,
    ]),
  );
}

const keys = (typed: string, tasks: ReturnType<typeof board>, id = '') =>
  offersFor(typed, { id, projectId: 'p' }, tasks).map((task) => task.key);

test('what is offered to wait for is open, of its project first, the newest first', () => {
  const tasks = board(
    { id: 'a' },
    { id: 'b', projectId: 'other' },
    { id: 'c', status: 'review' },
    { id: 'd', status: 'done' },
    { id: 'e', status: 'archived', archivedFrom: 'done' },
    { id: 'f', status: 'archived', archivedFrom: 'review' },
  );
  expect(keys('', tasks)).toEqual(['KES-3', 'KES-1', 'KES-2']);
  expect(keys('kes-2', tasks)).toEqual(['KES-2']);
  expect(keys('CARD c', tasks)).toEqual(['KES-3']);
});

test('nothing is offered that itself waits for the task, by however many between', () => {
  const tasks = board(
    { id: 'a' },
    { id: 'b', after: 'a' },
    { id: 'c', after: 'b' },
    { id: 'd', after: 'gone' },
  );
  expect(keys('', tasks, 'a')).toEqual(['KES-4']);
  expect(keys('', tasks, 'c')).toEqual(['KES-4', 'KES-2', 'KES-1']);
});
