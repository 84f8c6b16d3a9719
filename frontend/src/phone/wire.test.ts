import { expect, test } from 'vitest';
import { Away, read, Refused } from './wire';

function thrown(status: number, text: string): unknown {
  try {
    return read(status, text);
  } catch (error) {
    return error;
  }
}

test('what Beckon says is read, and nothing is nothing', () => {
  expect(read(200, '{"name":"Pixel 9"}')).toEqual({ name: 'Pixel 9' });
  expect(read(204, '')).toBeUndefined();
});

test('a no of Beckon is not taken for the words of what stands in between', () => {
  const no = thrown(409, '{"code":"conflict","message":"too late","settled":{"id":"q"}}');
  expect(no).toBeInstanceOf(Refused);
  expect(no).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'too late',
    settled: { id: 'q' },
  });
  expect(thrown(503, '{"code":"unavailable","message":"no agent"}')).toBeInstanceOf(Refused);
  for (const [status, text] of [
    [502, '<html>Bad gateway</html>'],
    [504, ''],
    [404, '<p>not here'],
    [200, '<p>Sign in to the hotel'],
    [502, '{"message":"no upstream"}'],
    [429, '{"code":"busy","message":"wait"}'],
  ] as const) {
    expect(thrown(status, text), `${status} ${text}`).toBeInstanceOf(Away);
  }
});
