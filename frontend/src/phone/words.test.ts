import { expect, test } from 'vitest';
import '../i18n/phone';
import { headOf } from '../question/said';
import type { Answered, Asked } from './types';
import { answerOf, endOf, mayAnswer, nextOf, otherOf, saysOf, shortPath, whyOf } from './words';

const answered: Answered = {
  id: 'q',
  kind: 'ask',
  title: 'Which?',
  key: 'KES-1',
  answer: 'Planner',
  verdict: '',
  by: 'phone',
  byName: 'Pixel 9',
  at: 0,
  mine: false,
  settlement: 'answered',
  unasked: false,
};

test('who was faster is named', () => {
  expect(endOf(answered)).toBe('Answered from Pixel 9: Planner');
  expect(endOf({ ...answered, by: 'user', byName: '' })).toBe('Answered at the desk: Planner');
  expect(endOf({ ...answered, by: 'telegram', byName: '@mira' })).toBe(
    'Answered over Telegram, @mira: Planner',
  );
  expect(endOf({ ...answered, settlement: 'expired', answer: '' })).toBe('Its time ran out.');
});

test('what an agent decided without asking is said so', () => {
  const one = { ...answered, settlement: 'expired', answer: '', unasked: true } as const;
  expect(answerOf(one)).toBe('Decided without asking');
  expect(answerOf({ ...one, answer: 'Planner' })).toBe('Planner');
});

test('a verdict is said in words', () => {
  const permission: Answered = { ...answered, kind: 'permission', answer: '', verdict: 'allow' };
  expect(answerOf(permission)).toBe('Allow once');
  expect(answerOf({ ...permission, verdict: 'deny', answer: 'not now' })).toBe('Deny: not now');
  expect(answerOf({ ...answered, verdict: 'skip', answer: '' })).toBe('Skipped');
});

test('what is refused is said in the page’s words, else in Beckon’s', () => {
  expect(whyOf('rights', 'x', 'studio-pc')).toBe(
    'This phone may not do that. It waits for you at studio-pc.',
  );
  expect(whyOf('keysBusy', 'the terminal\nis busy', '')).toBe('the terminal is busy');
  expect(whyOf('', '', '')).toBe('Beckon refused it.');
});

test('each kind of question has its right', () => {
  const none = {
    questions: false,
    plans: false,
    commands: false,
    steer: false,
    elsewhere: false,
    lines: false,
  };
  const may = (right: string, kind: string) =>
    mayAnswer({ kind } as Parameters<typeof mayAnswer>[0], { ...none, [right]: true });
  expect([
    may('questions', 'ask'),
    may('questions', 'elicitation'),
    may('plans', 'plan'),
    may('commands', 'permission'),
  ]).toEqual([true, true, true, true]);
  expect([
    may('questions', 'permission'),
    may('plans', 'permission'),
    may('commands', 'plan'),
    may('steer', 'ask'),
  ]).toEqual([false, false, false, false]);
});

test('a long path is known by its end, and a command is left as it is', () => {
  expect(shortPath('/home/ada/.local/share/beckon/worktrees/kes-1/plan/ranges.go')).toBe(
    '…/plan/ranges.go',
  );
  expect(shortPath('C:\\Users\\ada\\src\\kestrel\\ranges.go')).toBe('…/kestrel/ranges.go');
  expect(
    ['plan/ranges.go', '/etc/hosts', 'rm -rf /a/b/c/d/e', '/bin/sh -c "cat /a/b/c/d"'].map(
      shortPath,
    ),
  ).toEqual(['plan/ranges.go', '/etc/hosts', 'rm -rf /a/b/c/d/e', '/bin/sh -c "cat /a/b/c/d"']);
});

test('another agent is named, whether a phone has what an older Beckon sent or not', () => {
  const asked = (agent: Asked['agent'], kind = 'ask') =>
    ({ key: 'KES-1', question: { kind, origin: '', permission: null }, agent }) as unknown as Asked;
  const codex = asked({ kind: 'codex', says: 'Codex' });
  expect([saysOf(codex), otherOf(codex), nextOf(codex)]).toEqual([
    'Codex',
    'Codex',
    'Codex (KES-1) asks',
  ]);
  expect(headOf(codex.question, saysOf(codex))).toBe('Codex asks');
  const claude = asked({ kind: '', says: 'Claude' });
  expect([saysOf(claude), otherOf(claude), nextOf(claude)]).toEqual(['Claude', '', 'KES-1 asks']);
  expect([saysOf(asked(undefined)), otherOf(asked(undefined))]).toEqual(['The agent', '']);
});
