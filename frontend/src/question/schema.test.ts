import { expect, test } from 'vitest';
import { contentOf, fieldsOf, problemsOf } from './schema';

const form = JSON.stringify({
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: {
      type: 'string',
      title: 'Name',
      description: 'Of the bucket',
      minLength: 3,
      maxLength: 8,
    },
    size: { type: 'integer', minimum: 1, maximum: 9 },
    ratio: { type: 'number', default: 0.5 },
    public: { type: 'boolean', default: true },
    zone: { type: 'string', enum: ['eu', 'us'], enumNames: ['Europe', 'America'] },
    tier: { type: 'string', oneOf: [{ const: 'a', title: 'Cheap' }] },
    tags: { type: 'array', maxItems: 1, items: { type: 'string', enum: ['x', 'y'] } },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
  },
});
const fields = fieldsOf(form);

test('each kind of field is known for what it is', () => {
  expect(fields.map((f) => `${f.name}: ${f.kind}${f.format && ` ${f.format}`}`)).toEqual([
    'name: text',
    'size: integer',
    'ratio: number',
    'public: boolean',
    'zone: choice',
    'tier: choice',
    'tags: choices',
    'mail: text email',
    'site: text uri',
    'day: text date',
  ]);
  expect(fields[0]).toMatchObject({ label: 'Name', why: 'Of the bucket', required: true });
  expect(fields[4]?.options).toEqual([
    { value: 'eu', label: 'Europe' },
    { value: 'us', label: 'America' },
  ]);
  expect(fields[5]?.options).toEqual([{ value: 'a', label: 'Cheap' }]);
  expect([fields[2]?.initial, fields[3]?.initial]).toEqual(['0.5', true]);
});

test('what does not fit is named before it is sent', () => {
  const bad = {
    name: 'ab',
    size: '1.5',
    ratio: 'much',
    tags: ['x', 'y'],
    mail: 'nobody',
    site: 'here',
    day: '2025-13-01',
  };
  expect(Object.fromEntries(problemsOf(fields, bad))).toEqual({
    name: 'tooShort',
    size: 'integer',
    ratio: 'number',
    tags: 'tooMany',
    mail: 'email',
    site: 'uri',
    day: 'date',
  });
  expect([...problemsOf(fields, {})]).toEqual([
    ['name', 'required'],
    ['size', 'required'],
  ]);
  expect(problemsOf(fields, { name: 'logs', size: '10' }).get('size')).toBe('tooLarge');
});

test('numbers and choices arrive as what they are, and what was left open does not arrive', () => {
  const content = contentOf(fields, {
    name: ' logs ',
    size: '4',
    public: false,
    zone: 'eu',
    tags: [],
    mail: '',
  });
  expect(JSON.parse(content)).toEqual({ name: 'logs', size: 4, public: false, zone: 'eu' });
});

test('a schema that is none asks for nothing', () => {
  for (const none of ['', '{', '[]', '{"properties": 3}']) expect(fieldsOf(none)).toEqual([]);
});
