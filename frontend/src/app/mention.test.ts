import { expect, test } from 'vitest';
import { mentioned } from './mention';

test('a dropped file is named as the agent sees it', () => {
  expect(mentioned('/home/you/kestrel/src/main.ts', ['', '/home/you/kestrel'])).toBe(
    '@src/main.ts',
  );
  expect(mentioned('/elsewhere/notes.txt', ['/home/you/kestrel'])).toBe('@/elsewhere/notes.txt');
});

test('a name with spaces stays one name', () => {
  expect(mentioned('/p/my notes.txt', ['/p'])).toBe('@"my notes.txt"');
});
