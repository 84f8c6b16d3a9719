import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import { scriptsOf, wishFor } from './wish';

const offer: beckon.Offer = {
  listed: false,
  patterns: [],
  env: ['.env', 'web/.env.local'],
  envPatterns: ['.env*', '!.env*/'],
  setups: [
    { tool: 'Conductor', file: 'conductor.json', setup: 'npm ci', dev: 'npm run dev' },
    { tool: 'Dev Container', file: '.devcontainer.json', setup: 'make', dev: '' },
  ],
};
const found = { key: 'KES', base: 'main', offer } as beckon.ProjectFound;

test('no command of another tool is taken over that nobody chose', () => {
  const wish = wishFor(found);
  expect(scriptsOf(wish, offer)).toEqual({
    setup: '',
    check: '',
    dev: '',
    copied: ['.env*', '!.env*/'],
    spare: false,
  });
  expect(scriptsOf({ ...wish, copied: false, setup: 'conductor.json' }, offer)).toMatchObject({
    setup: 'npm ci',
    dev: 'npm run dev',
    copied: [],
  });
});

test('where there is a list of what is copied, or no such file, nothing is added to it', () => {
  const listed = { ...offer, listed: true, env: [], envPatterns: [] };
  expect(scriptsOf(wishFor({ ...found, offer: listed }), listed).copied).toEqual([]);
});
