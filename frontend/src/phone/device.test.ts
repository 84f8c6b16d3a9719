import { expect, test } from 'vitest';
import { nameOf } from './device';

test('a phone has a name that its owner knows', () => {
  expect(
    nameOf(
      'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A.241105.008) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    ),
  ).toBe('Pixel 9');
  expect(
    nameOf('Mozilla/5.0 (Linux; Android 10; SM-G991B) AppleWebKit/537.36 Chrome/120.0 Mobile'),
  ).toBe('SM-G991B');
  expect(nameOf('Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0 Mobile')).toBe(
    'Android',
  );
  expect(nameOf('Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0')).toBe(
    'Android',
  );
  expect(
    nameOf(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    ),
  ).toBe('iPhone');
  expect(nameOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15')).toBe('Mac');
  expect(nameOf('')).toBe('');
});
