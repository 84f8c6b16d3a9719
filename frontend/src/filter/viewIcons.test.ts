import { expect, test } from 'vitest';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import ListFilter from '@lucide/svelte/icons/list-filter';
import MessageSquare from '@lucide/svelte/icons/message-square';
import SignalHigh from '@lucide/svelte/icons/signal-high';
import SquareKanban from '@lucide/svelte/icons/square-kanban';
import Tag from '@lucide/svelte/icons/tag';
import { iconOf } from './viewIcons';
import { fields } from './query';

test('a view has the sign of what it asks first', () => {
  expect(iconOf([])).toBe(ListFilter);
  expect(iconOf([{ field: 'waiting', not: false, values: ['yes'] }])).toBe(MessageSquare);
  expect(iconOf([{ field: 'state', not: false, values: ['stopped'] }])).toBe(CircleAlert);
  expect(iconOf([{ field: 'state', not: true, values: ['stopped'] }])).toBe(SquareKanban);
  expect(iconOf([{ field: 'state', not: false, values: ['stopped', 'review'] }])).toBe(
    SquareKanban,
  );
  // What it leaves out says less of it than what it asks for.
  expect(
    iconOf([
      { field: 'label', not: true, values: ['docs'] },
      { field: 'priority', not: false, values: ['high'] },
    ]),
  ).toBe(SignalHigh);
  expect(iconOf([{ field: 'label', not: true, values: ['docs'] }])).toBe(Tag);
  expect(
    new Set(fields.map((field) => iconOf([{ field, not: false, values: ['x'] }]))).size,
    'each has its own',
  ).toBe(fields.length);
});
