import { expect, test } from 'vitest';
import { asBeckonError, BeckonError } from './errors';

test('the window tells an error as JSON in a string or an Error, and both are understood', () => {
  const text = '{"code":"conflict","message":"somebody was first"}';
  for (const thrown of [text, new Error(text)]) {
    expect(asBeckonError(thrown)).toMatchObject({
      code: 'conflict',
      message: 'somebody was first',
    });
  }
});

test('whatever else is thrown still reaches the person as a message', () => {
  expect(asBeckonError(new Error('plain'))).toMatchObject({ code: 'internal', message: 'plain' });
  expect(asBeckonError('{"other":1}')).toMatchObject({ code: 'internal', message: '{"other":1}' });
  const known = new BeckonError('invalid', 'no title');
  expect(asBeckonError(known)).toBe(known);
});
