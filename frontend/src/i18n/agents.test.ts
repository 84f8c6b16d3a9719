import { expect, test } from 'vitest';

const files = import.meta.glob<Record<string, string>>('../../messages/*/*.json', {
  eager: true,
  import: 'default',
});

/**
 * The messages about Claude Code the product: its login, versions, settings and models, and
 * sessions in its own terminal. What a task's agent does has its name as {agent}, or says
 * "the agent" where no task is at hand.
 */
const ofClaudeCode = [
  /^app\.newerClaude$/,
  /^errors\.(sessionFolder|keysGone|keysUntested)$/,
  /^executors\.(claude|networkApi|networkText|onlyApi)$/,
  /^outside\./,
  /^privacy\.foot$/,
  /^projects\.(updateClaude|mendClaude|installClaude)$/,
  /^projects\.brings/,
  /^question\.(denyThereWhy|alwaysThereWhy)$/,
  /^reasons\.(claude\w+|hookShape)$/,
  /^words\.defaultModel$/,
];

test('what an agent of a task does is said of Claude alone in no message', () => {
  const wrong = Object.entries(files).flatMap(([file, messages]) => {
    const [language, area] = file.replace('.json', '').split('/').slice(-2);
    return Object.entries(messages)
      .filter(
        ([key, text]) => /Claude/.test(text) && !ofClaudeCode.some((p) => p.test(`${area}.${key}`)),
      )
      .map(([key, text]) => `${language} ${area}.${key}: ${text}`);
  });
  expect(Object.keys(files).length).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});
