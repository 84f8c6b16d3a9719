import { expect, test } from 'vitest';
import { fetchedPart, fetchPart, nothingFetched } from './prefetch';

test('nothing is being fetched once the last part is here or has failed', async () => {
  await nothingFetched();
  let come = (_: string) => {};
  let fail = (_: Error) => {};
  const one = () => new Promise<string>((resolve) => (come = resolve));
  const other = () => new Promise<string>((_, reject) => (fail = reject));
  const parts = [fetchPart(one), fetchPart(other).catch(() => 'failed')];
  let quiet = false;
  const end = nothingFetched().then(() => (quiet = true));
  come('here');
  expect(await parts[0]).toBe('here');
  expect(quiet).toBe(false);
  fail(new Error('gone'));
  await end;
  expect(fetchedPart(one)).toBe('here');
  expect(fetchedPart(other)).toBeUndefined();
});
