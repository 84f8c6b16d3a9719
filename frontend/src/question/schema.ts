// The form of an elicitation. Its JSON schema is what the Model Context
// Protocol allows there: one object of flat fields.

/** Value is what a field holds while it is filled in. */
export type Value = string | boolean | string[];

/** Filled is a form as far as it is filled in, by the names of its fields. */
export type Filled = Record<string, Value>;

/** Field is one thing that a form asks for. */
export interface Field {
  name: string;
  label: string;
  why: string;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  format: '' | 'email' | 'uri' | 'date' | 'date-time';
  options: { value: string; label: string }[];
  required: boolean;
  /** Of a number its bounds, of a text its length's, of choices their number's. */
  min: number | undefined;
  max: number | undefined;
  initial: Value | undefined;
}

/** Problem is why a field cannot be sent as it is. */
export type Problem =
  | 'required'
  | 'number'
  | 'integer'
  | 'email'
  | 'uri'
  | 'date'
  | 'tooSmall'
  | 'tooLarge'
  | 'tooShort'
  | 'tooLong'
  | 'tooFew'
  | 'tooMany';

type Json = Record<string, unknown>;

/** fieldsOf reads a schema; one that is none has no fields. */
export function fieldsOf(form: string): Field[] {
  try {
    const schema = asObject(JSON.parse(form || '{}'));
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.entries(asObject(schema.properties)).map(([name, one]) =>
      fieldOf(name, asObject(one), required.includes(name)),
    );
  } catch {
    return [];
  }
}

function fieldOf(name: string, schema: Json, required: boolean): Field {
  const list = schema.type === 'array';
  const options = optionsOf(list ? asObject(schema.items) : schema);
  const kind = list ? 'choices' : options.length > 0 ? 'choice' : kindOf(schema.type);
  const [min, max] = list
    ? ['minItems', 'maxItems']
    : kind === 'text'
      ? ['minLength', 'maxLength']
      : ['minimum', 'maximum'];
  return {
    name,
    label: asText(schema.title) || name,
    why: asText(schema.description),
    kind,
    format: (['email', 'uri', 'date', 'date-time'] as const).find((f) => f === schema.format) ?? '',
    options,
    required,
    min: asNumber(schema[min!]),
    max: asNumber(schema[max!]),
    initial: initialOf(schema.default, kind),
  };
}

function kindOf(type: unknown): Field['kind'] {
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
}

/** Options come as an enum, with or without names, or as constants with titles. */
function optionsOf(schema: Json): Field['options'] {
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray) as unknown[] | undefined;
  if (titled)
    return titled
      .map(asObject)
      .map((o) => ({ value: asText(o.const), label: asText(o.title) || asText(o.const) }));
  if (!Array.isArray(schema.enum)) return [];
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.map((value, i) => ({
    value: asText(value),
    label: asText(names[i]) || asText(value),
  }));
}

function initialOf(value: unknown, kind: Field['kind']): Value | undefined {
  if (kind === 'boolean') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(asText) : [];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** problemsOf names what keeps a form from being sent, by field. */
export function problemsOf(fields: Field[], filled: Filled): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  for (const field of fields) {
    const problem = problemOf(field, filled[field.name]);
    if (problem) problems.set(field.name, problem);
  }
  return problems;
}

function problemOf(field: Field, value: Value | undefined): Problem | undefined {
  if (typeof value === 'boolean') return undefined;
  if (Array.isArray(value))
    return value.length === 0 && !field.required
      ? undefined
      : outside(field, value.length, 'tooFew', 'tooMany', field.required ? 1 : 0);
  const text = value ?? '';
  if (text.trim() === '') return field.required ? 'required' : undefined;
  if (field.kind === 'number' || field.kind === 'integer') return numberProblem(field, text);
  if (field.kind === 'choice') return undefined;
  if (field.format && !formats[field.format](text.trim()))
    return field.format === 'date-time' ? 'date' : field.format;
  return outside(field, text.length, 'tooShort', 'tooLong');
}

function numberProblem(field: Field, text: string): Problem | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return 'number';
  if (field.kind === 'integer' && !Number.isInteger(value)) return 'integer';
  return outside(field, value, 'tooSmall', 'tooLarge');
}

function outside(
  field: Field,
  n: number,
  below: Problem,
  above: Problem,
  least = -Infinity,
): Problem | undefined {
  if (n < Math.max(field.min ?? -Infinity, least)) return below;
  return n > (field.max ?? Infinity) ? above : undefined;
}

const formats = {
  email: (text: string) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text: string) => URL.canParse(text),
  date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
};

/** contentOf is the JSON object that a form was filled in with; what was left empty is not in it. */
export function contentOf(fields: Field[], filled: Filled): string {
  const content: Json = {};
  for (const field of fields) {
    const value = filled[field.name];
    if (typeof value === 'boolean') content[field.name] = value;
    else if (Array.isArray(value)) {
      if (value.length > 0 || field.required) content[field.name] = value;
    } else if (value !== undefined && value.trim() !== '')
      content[field.name] = wireOf(field, value.trim());
  }
  return JSON.stringify(content);
}

function wireOf(field: Field, text: string): unknown {
  if (field.kind === 'number' || field.kind === 'integer') return Number(text);
  // The browser's field leaves out the zone, which the format asks for.
  return field.format === 'date-time' ? new Date(text).toISOString() : text;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
