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

/** Questions that are over: answered, answered by a rule, and carried on without. */
export function pastQuestions(now: number): beckon.Question[] {
  const ask = (id: string, taskId: string, text: string, labels: string[], minutesAgo: number, seconds: number): beckon.Question => {
    const settled = now - minutesAgo * minute;
    const items = [{ header: '', text, multiple: false, options: [...labels, 'Neither'].map((label) => option(label, '')) }];
    const answer: beckon.Answer = { items: [{ labels: labels.slice(0, 1), other: '' }], verdict: '', text: '', by: 'user', at: settled };
    const about = { id, taskId, runId: `run-${taskId}`, kind: 'ask', toolUseId: '', items } as const;
    return { ...policy, ...about, asked: settled - seconds * 1000, deadline: 0, waitMs: 180_000, settlement: 'answered', settled, answer };
  };
  const open = ask('q-rename', 'kes-47', 'Rename Span to TimeRange?', ['Rename', 'Keep Span'], 9, 180);
  const ruled = ask('q-runner', 'kes-50', 'Which test runner?', ['go test'], 12, 0);
  return [
    ask('q-parser', 'kes-47', 'Put the check in the parser or in the planner?', ['Planner', 'Parser'], 14, 22),
    ask('q-route', 'orc-86', 'Keep the old webhook route alive?', ['Until the dashboard moves'], 21, 65),
    { ...ruled, answer: { ...ruled.answer!, by: 'rule' }, ruleId: 'r1' },
    { ...open, answer: undefined, settlement: 'expired', assumption: 'kept Span' },
  ];
}

/** A form that a server asks to be filled in. */
export function formQuestion(now: number): beckon.Question {
  const form = {
    type: 'object',
    required: ['name', 'mail'],
    properties: {
      name: { type: 'string', title: 'Bucket', description: 'Lower case, no dots', minLength: 3 },
      mail: { type: 'string', title: 'Contact', format: 'email' },
      zone: { type: 'string', title: 'Zone', enum: ['eu', 'us'], enumNames: ['Europe', 'America'] },
      size: { type: 'integer', title: 'Size in GB', minimum: 1, maximum: 64 },
      from: { type: 'string', title: 'From', format: 'date' },
      public: { type: 'boolean', title: 'Public' },
    },
  };
  const about = { id: 'q-form', taskId: '', runId: '', kind: 'elicitation', toolUseId: '' } as const;
  return { ...policy, ...about, items: [], origin: 'Claude Code in ~/src/atlas', message: 'Where should the backup go?', form: JSON.stringify(form), asked: now - 90_000, deadline: 0, waitMs: 0 };
}
