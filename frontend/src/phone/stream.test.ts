import { expect, test } from 'vitest';
import { listen, Reader, type Told } from './stream';

const inbox: Told = { event: 'inbox', data: '{"now":1}' };

test('events are whole, however they arrive', () => {
  const text = 'event: me\ndata: {}\n\n: \n\nevent: inbox\ndata: {"now":1}\n\n';
  for (const size of [1, 2, 7, text.length]) {
    const reader = new Reader();
    const told: Told[] = [];
    for (let i = 0; i < text.length; i += size) told.push(...reader.take(text.slice(i, i + size)));
    expect(told, `${size} at a time`).toEqual([{ event: 'me', data: '{}' }, inbox]);
  }
});

test('a stream that ends ends the listening, after all that it said', async () => {
  const told: string[] = [];
  const bytes = new TextEncoder().encode(
    'event: me\ndata: {"name":"Zoë"}\n\nevent: gone\ndata: {}\n\nevent: cut',
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < bytes.length; i += 3) controller.enqueue(bytes.slice(i, i + 3)); // through the middle of a letter
      controller.close();
    },
  });
  await listen(
    new Response(body),
    (one) => told.push(`${one.event} ${one.data}`),
    new AbortController(),
  );
  expect(told).toEqual(['me {"name":"Zoë"}', 'gone {}']);
});
