import { expect, test } from 'vitest';
import { modelLabel } from './choices';

test('a model has one name, however Claude Code spells it', () => {
  const names = {
    '': 'Claude’s default',
    default: 'Claude’s default',
    opus: 'Opus',
    'sonnet[1m]': 'Sonnet (1M)',
    'claude-opus-4-8[1m]': 'Opus 4.8 (1M)',
    'claude-sonnet-5': 'Sonnet 5',
    'claude-haiku-4-5-20251001': 'Haiku 4.5',
    'us.anthropic.claude-sonnet-5-v1:0': 'us.anthropic.claude-sonnet-5-v1:0',
  };
  for (const [model, name] of Object.entries(names)) expect(modelLabel(model)).toBe(name);
});
