import { expect, test } from 'vitest';
import { amountOf, textOf } from './amount';

test('an amount is read as it is typed in either language', () => {
  expect(['5', '5.50', '5,50', '$ 8', '500k', '2M', '1.5 M', ''].map(amountOf)).toEqual([
    5, 5.5, 5.5, 8, 500_000, 2_000_000, 1_500_000, 0,
  ]);
});

test('what is no amount is none', () => {
  for (const text of ['-3', 'a lot', '1e9', '5.5.5', '9999999999999', 'NaN', '1,000,000'])
    expect(amountOf(text), text).toBeUndefined();
});

test('a limit stands in its field as it is typed', () => {
  expect(textOf({ usd: 5, tokens: 0 }, 'en')).toBe('5.00');
  expect(textOf({ usd: 0.0031, tokens: 0 }, 'de')).toBe('0,0031');
  expect(textOf({ usd: 0, tokens: 2_000_000 }, 'en')).toBe('2000000');
  expect(textOf(undefined, 'en')).toBe('');
});
