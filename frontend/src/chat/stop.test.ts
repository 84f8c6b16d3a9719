import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import '../i18n/screens';
import { keptOf, toDo } from './stop';

const task = (why?: Partial<beckon.Reason>) =>
  ({
    branch: 'beckon/kes-1',
    session: 's',
    changes: { files: 2, commits: 1 },
    why,
  }) as beckon.Task;

test('of a task whose branch is gone nothing is promised that takes the branch', () => {
  const gone = { code: 'branchGoneHere' } as beckon.Reason;
  const run = { why: gone } as beckon.Run;
  for (const [of, last] of [
    [task({ code: 'nothingCommitted', why: gone }), undefined],
    [task(), run],
  ] as const) {
    expect(toDo(of, last, 'resume')).toContain('The next run needs the branch.');
    expect(keptOf(of, last)).toEqual(['The whole session']);
  }
});

test('a task that stopped for another reason goes on where it was', () => {
  for (const of of [task(), task({ code: 'worktreeGone' })]) {
    expect(toDo(of, undefined, 'resume')).toContain('Resume carries on in the same worktree');
    expect(keptOf(of, undefined)).toEqual([
      '2 changed files',
      '1 commit on beckon/kes-1',
      'The whole session',
    ]);
  }
});
