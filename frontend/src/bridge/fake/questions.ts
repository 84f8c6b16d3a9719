import type * as beckon from '../types';

const minute = 60_000;
const policy = { policy: 'proceed', settlement: 'open', settled: 0, reason: '', delivered: 0, heldMs: 0, agent: '', plan: '', form: '', message: '', origin: '', assumption: '', ruleId: '' } as const;

function option(label: string, description: string, preview = ''): beckon.Option {
  return { id: '', label, description, preview };
}

/** One question of each kind: single, several, permission, plan. */
export function sampleQuestions(now: number): beckon.Question[] {
  return [
    {
      ...policy,
      id: 'q-overlaps',
      taskId: 'kes-47',
      runId: 'run-kes-47',
      kind: 'ask',
      toolUseId: 'toolu_overlaps',
      items: [
        {
          header: 'Overlaps',
          text: 'How should overlaps be handled?',
          multiple: false,
          options: [
            option('Reject the query', 'Strict, and easiest to explain.'),
            option('Merge them into one range', 'Hides a likely typo.'),
            option('Let the last one win', 'What the old parser did by accident.'),
            option('Run it, but warn', 'Needs a place to show the warning.'),
          ],
        },
      ],
      asked: now - 46_000,
      deadline: now + 134_000,
      waitMs: 180_000,
    },
    {
      ...policy,
      id: 'q-migrate',
      taskId: 'orc-90',
      runId: 'run-orc-90',
      kind: 'permission',
      toolUseId: 'toolu_migrate',
      items: [],
      permission: {
        tool: 'Bash',
        description: 'Create the migration and apply it to the development database',
        command: 'pnpm prisma migrate dev --name invoice-currency',
        path: '',
        diff: '',
        input: '{"command":"pnpm prisma migrate dev --name invoice-currency"}',
        always: 'Bash(pnpm prisma migrate:*)',
        lasting: ['Bash(pnpm prisma migrate:*)'],
        destructive: false,
      },
      asked: now - 40_000,
      deadline: now + 520_000,
      waitMs: 600_000,
    },
    {
      ...policy,
      id: 'q-plan',
      taskId: 'led-21',
      runId: 'run-led-21',
      kind: 'plan',
      toolUseId: 'toolu_plan',
      items: [],
      plan: '## Reconcile statement totals\n\n1. Read the closing balance of each statement\n2. Sum the journal per account\n3. Compare, with `RoundHalfEven`\n4. Report drift as a table\n5. Exit 1 when there is any\n6. Test with two banks',
      asked: now - 30_000,
      deadline: 0,
      heldMs: 2 * minute,
      waitMs: 5 * minute,
    },
  ];
}

/** Asks several things at once, one of them with more than one answer. */
export function severalQuestion(now: number): beckon.Question {
  return {
    ...policy,
    id: 'q-several',
    taskId: 'doc-10',
    runId: 'run-doc-10',
    kind: 'ask',
    toolUseId: 'toolu_several',
    items: [
      {
        header: 'Audience',
        text: 'Who reads this page?',
        multiple: false,
        options: [option('Operators', 'They tune it in production.'), option('Authors', 'They write the jobs that retry.')],
      },
      {
        header: 'Sections',
        text: 'Which sections should it have?',
        multiple: true,
        options: [option('Backoff', ''), option('Budgets', ''), option('Idempotency', '')],
      },
      { header: 'Name', text: 'What should the page be called?', multiple: false, options: [] },
    ],
    asked: now,
    deadline: now + 180_000,
    waitMs: 180_000,
  };
}
