import { expect, test } from 'vitest';
import en from '../../messages/en/push.json';
import { read, shown } from './pushed';

test('a push says who asks, and what only where that is sent', () => {
  const pushed = read('{"id":"q1","key":"KES-47","kind":"permission"}')!;
  expect(shown(pushed, en)).toEqual({ title: 'KES-47 wants a permission', body: '' });
  expect(shown({ ...pushed, title: 'KES-47 asks', text: 'Allow pnpm test?' }, en)).toEqual({
    title: 'KES-47 asks',
    body: 'Allow pnpm test?',
  });
  expect(shown({ ...pushed, key: '', kind: 'unknown' }, en).title).toBe('A session elsewhere asks');
});

test('a push of what is over says so', () => {
  expect(shown(read('{"id":"q1","key":"KES-47","close":true}')!, en)).toEqual({
    title: 'KES-47: answered',
    body: '',
  });
});

test('what is no push of Beckon shows nothing', () => {
  expect(['', 'null', '{}', '[1]', '{"id":7}', '<p>'].map(read)).toEqual(Array(6).fill(undefined));
});
