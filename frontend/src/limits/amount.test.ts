import { expect, test } from 'vitest';
import { amountOf, limitOf, textOf } from './amount';

test('dollars are read as they are typed in either language', () => {
  expect(['5', '5.50', '5,50', '$ 8', '1000000', ''].map((text) => amountOf(text, 'usd'))).toEqual([
    5, 5.5, 5.5, 8, 1_000_000, 0,
  ]);
});

test('tokens are read as they are typed in either language, and are whole', () => {
  const typed = [
    '1500',
    '1,500',
    '1.500',
    '1,000,000',
    '500k',
    '2M',
    '1.5 M',
    '0.4',
    '1000000M',
    '',
  ];
  expect(typed.map((text) => amountOf(text, 'tokens'))).toEqual([
    1500, 1500, 1500, 1_000_000, 500_000, 2_000_000, 1_500_000, 0, 1e12, 0,
  ]);
});

test('what is no amount, or more than the back end takes, is none', () => {
  for (const text of [
    '-3',
    'a lot',
    '1e9',
    '5.5.5',
    '5,5,5',
    '5 USD',
    '9999999999999',
    'NaN',
    '1000001',
  ])
    expect(amountOf(text, 'usd'), text).toBeUndefined();
  for (const text of ['$5', '1,50,000', '1000000000001', '2000000M'])
    expect(amountOf(text, 'tokens'), text).toBeUndefined();
});

test('the limit of a new task is in what its agent is paid in, or in what was typed', () => {
  expect(['5', '500k', '$2k', '', '5 USD'].map((text) => limitOf(text, ''))).toEqual([
    { usd: 5, tokens: 0 },
    { usd: 0, tokens: 500_000 },
    { usd: 2000, tokens: 0 },
    { usd: 0, tokens: 0 },
    undefined,
  ]);
});

test('a limit stands in its field as it is typed', () => {
  expect(textOf({ usd: 5, tokens: 0 }, 'en')).toBe('5.00');
  expect(textOf({ usd: 0.0031, tokens: 0 }, 'de')).toBe('0,0031');
  expect(textOf({ usd: 0, tokens: 2_000_000 }, 'en')).toBe('2000000');
  expect(textOf(undefined, 'en')).toBe('');
});
