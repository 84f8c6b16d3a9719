import type { beckon } from '../bridge';

/** The kinds of notices, in the order of their rows. */
export const kinds = [
  'question',
  'permission',
  'plan',
  'review',
  'failed',
  'quiet',
  'budget',
] as const satisfies readonly beckon.NoticeKind[];

/** How a kind can be told, the loudest first. */
export const hows = ['both', 'banner', 'sound', 'nothing'] as const satisfies readonly beckon.How[];

/** Minutes after which the user hears once more of what still waits; 0 is never. */
export const reminders = [0, 5, 10, 15, 30, 60];
