// @vitest-environment jsdom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { beckon } from '../bridge';

const called: unknown[][] = [];
let refuse = '';
vi.mock('../bridge', () => ({
  api: {
    allowKeys: (id: string) => Promise.resolve(void called.push(['allowKeys', id])),
    answerQuestion: (id: string, answer: beckon.Answer) => {
      called.push(['answerQuestion', id, answer.verdict]);
      return refuse === ''
        ? Promise.resolve()
        : Promise.reject(
            Object.assign(new Error('refused'), {
              code: 'unavailable',
              problem: refuse,
              data: { version: '9.9.9', tested: '2.1.197' },
            }),
          );
    },
  },
  asBeckonError: (e: unknown) => e,
}));

const { Card } = await import('./card.svelte');
const { sending } = await import('./sending.svelte');
const NotTyped = (await import('./NotTyped.svelte')).default;

const question = {
  id: 'q',
  taskId: '',
  runId: 'r',
  kind: 'permission',
  toolUseId: '',
  agent: '',
  items: [],
  plan: '',
  form: '',
  message: '',
  origin: '',
  assumption: '',
  ruleId: '',
  permission: {
    tool: 'Bash',
    description: '',
    command: 'make',
    path: '',
    diff: '',
    input: '{}',
    always: '',
    lasting: [],
    destructive: false,
  },
  policy: 'wait',
  asked: 0,
  deadline: 0,
  waitMs: 0,
  heldMs: 0,
  settlement: 'open',
  settled: 0,
  reason: '',
  delivered: 0,
} as unknown as beckon.Question;

async function refusedAs(problem: string): Promise<HTMLElement> {
  refuse = problem;
  sending.send('q', {
    items: [],
    verdict: 'allow',
    text: '',
    by: '',
    at: 0,
  } as unknown as beckon.Answer);
  await vi.waitFor(() => expect(sending.of('q')?.state).toBe('failed'));
  flushSync();
  return document.body;
}

let shown: Record<string, unknown> | undefined;
afterEach(() => {
  if (shown) void unmount(shown);
  called.length = 0;
});

test('why an answer was not typed is said, and an unknown version is asked about', async () => {
  shown = mount(NotTyped, { target: document.body, props: { card: new Card(() => question) } });
  const body = await refusedAs('keysTooSmall');
  expect(body.textContent).toContain('Make that terminal larger');
  expect(body.querySelector('button')).toBeNull();

  await refusedAs('keysUntested');
  expect(body.textContent).toContain('9.9.9');
  called.length = 0;
  refuse = '';
  body.querySelector('button')!.click();
  await vi.waitFor(() =>
    expect(called).toEqual([
      ['allowKeys', 'q'],
      ['answerQuestion', 'q', 'allow'],
    ]),
  );

  await refusedAs('moved');
  expect(body.textContent.trim()).toBe('');
});
