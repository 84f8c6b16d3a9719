// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { join, read, write } from './draft';

const { api } = vi.hoisted(() => ({
  api: {
    saveMessageDraft: vi.fn(async () => {}),
    drafts: vi.fn(async () => [
      { questionId: '', taskId: 'kept', text: '{"text":"from elsewhere","images":[]}' },
    ]),
  },
}));
vi.mock('../bridge', () => ({ api }));

import { messages } from './messages.svelte';

const draft = (text: string) => ({ text, images: [] });
/** What a reloaded page would find. */
const stored = (taskId: string) =>
  read(sessionStorage.getItem(`beckon.message.${taskId}`) ?? '').text;

beforeEach(() => {
  vi.useFakeTimers();
  api.saveMessageDraft.mockClear();
});

test('what is typed is with Beckon when typing rests, once', () => {
  messages.set('a', draft('h'));
  messages.set('a', draft('hi'));
  expect(stored('a')).toBe('hi');
  vi.advanceTimersByTime(1000);
  expect(api.saveMessageDraft.mock.calls).toEqual([['a', write(draft('hi'))]]);
});

test('a page that is left saves what was typed last', () => {
  messages.set('b', draft('the last word'));
  dispatchEvent(new Event('pagehide'));
  expect(api.saveMessageDraft.mock.calls).toEqual([['b', write(draft('the last word'))]]);
});

test('a message that is not known to have arrived outlives a reload', async () => {
  let arrive = () => {};
  messages.set('c', draft('sent'));
  const sending = messages.send('c', () => new Promise<void>((resolve) => (arrive = resolve)));
  expect(messages.of('c').text).toBe('');
  messages.set('c', draft('typed meanwhile'));
  expect(stored('c')).toBe('sent\n\ntyped meanwhile');
  arrive();
  await sending;
  expect(stored('c')).toBe('typed meanwhile');
  expect(messages.of('c').text).toBe('typed meanwhile');
});

test('a message that failed is back in the field, before what was typed since', async () => {
  messages.set('d', draft('first'));
  const sending = messages.send('d', () => Promise.reject(new Error('no')));
  messages.set('d', draft('second'));
  await expect(sending).rejects.toThrow('no');
  expect(messages.of('d').text).toBe('first\n\nsecond');
  expect(stored('d')).toBe('first\n\nsecond');
});

test('a message that arrived leaves no draft', async () => {
  messages.set('e', draft('gone'));
  await messages.send('e', async () => {});
  vi.advanceTimersByTime(1000);
  expect(sessionStorage.getItem('beckon.message.e')).toBeNull();
  expect(api.saveMessageDraft.mock.calls.at(-1)).toEqual(['e', '']);
});

test('what was typed in another window is there', async () => {
  messages.load();
  await vi.advanceTimersByTimeAsync(0);
  expect(messages.of('kept').text).toBe('from elsewhere');
});

test('a draft that is not understood is none, and pictures are kept', () => {
  expect(read('no json')).toEqual(draft(''));
  expect(read('{"text":5}')).toEqual(draft(''));
  const image = { id: 'i', name: 'a.png', type: 'image/png', size: 1 };
  expect(read(write({ text: '', images: [image] }))).toEqual({ text: '', images: [image] });
  expect(join(draft(' '), { text: 'a', images: [image] }, { text: 'b', images: [image] })).toEqual({
    text: 'a\n\nb',
    images: [image],
  });
});
