/**
 * What the page says, in the person's language.
 *
 * Messages live in messages/LANGUAGE/AREA.json, one file per feature, and are
 * named `area.key`. `{name}` is a hole. A message that counts has two forms,
 * `key_one` and `key_other`, chosen by `n`. English is the master: its files
 * type the keys, and `npm run check:messages` holds the others to them. This
 * is all there is, which is why no library does it: nothing is compiled, and a wrong
 * key does not build. Another language is a folder of messages, and a row wherever
 * languages are listed: here and in desk.ts, in the phone's, the tray's and Telegram's.
 * The desk's page and the phone's carry different areas: see desk.ts and phone.ts.
 * English areas that only parts of the page need travel with those: see later.ts.
 */
import type * as desk from './en';
import type * as later from './later';
import type * as phone from './phone/en';

type English = typeof desk & typeof later & typeof phone;
type Base<K> = K extends `${infer B}_one` ? B : K extends `${infer B}_other` ? B : K;
type Keys<A extends keyof English> = `${A}.${Base<keyof English[A]> & string}`;

/** The name of a message, such as `board.queueHere`. */
export type MessageKey = { [A in keyof English]: Keys<A> }[keyof English];
export type Params = Record<string, string | number>;
export type Language = 'en' | 'de';

type Table = Record<string, Record<string, string>>;
const tables: { en: Table; de?: Table } = { en: {} };
let fetchGerman: () => Promise<Table> = () => Promise.resolve({});

/** Takes a page's messages: English comes with it, since others may lack a word; the others when they are wanted. */
export function speak(english: Table, german: () => Promise<Table>): void {
  tables.en = english;
  fetchGerman = german;
}

/** Takes English that a part of the page brings along; the other languages are fetched as a whole. */
export function learn(english: Table): void {
  tables.en = { ...tables.en, ...english };
}

let current = $state<Language>('en');

/** The language in use. Reading it in a template makes the template follow. */
export function language(): Language {
  return current;
}

/** Counts the wishes: one that was loaded too late counts no more. */
let wishes = 0;

/** Takes the language of the settings, once its messages are there; an empty wish follows the system. */
export async function setLanguage(wish: string, system: string): Promise<void> {
  const mine = ++wishes;
  const code = (wish || system).slice(0, 2).toLowerCase() === 'de' ? 'de' : 'en';
  if (code === 'de') tables.de ??= await fetchGerman();
  if (mine === wishes) current = code;
}

/** The message, with its holes filled. */
export function t(key: MessageKey, params: Params = {}): string {
  return parts(key, params)
    .map((p) => p.text)
    .join('');
}

/** Whether there is a message of this name, for names that come from elsewhere. */
export function has(key: string): key is MessageKey {
  const dot = key.indexOf('.');
  return Object.hasOwn(tables.en[key.slice(0, dot)] ?? {}, key.slice(dot + 1));
}

/** A piece of a message; `hole` names the parameter that it came from. */
export interface Part {
  text: string;
  hole?: string;
}

/** The message in pieces, for those whose parameters are set in another face. */
export function parts(key: MessageKey, params: Params = {}): Part[] {
  return template(key, params)
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => fill(piece, params));
}

function fill(piece: string, params: Params): Part {
  const hole = /^\{(\w+)\}$/.exec(piece)?.[1];
  if (hole === undefined || !(hole in params)) return { text: piece };
  const value = params[hole] ?? '';
  return { text: typeof value === 'number' ? formsOf(current).number.format(value) : value, hole };
}

/** How each language writes numbers and tells one from many: both are slow to make, and words are made for every row. */
const forms = new Map<string, { number: Intl.NumberFormat; plural: Intl.PluralRules }>();

function formsOf(language: string): { number: Intl.NumberFormat; plural: Intl.PluralRules } {
  const known = forms.get(language) ?? {
    number: new Intl.NumberFormat(language),
    plural: new Intl.PluralRules(language),
  };
  forms.set(language, known);
  return known;
}

function template(key: MessageKey, params: Params): string {
  const dot = key.indexOf('.');
  const area = (tables[current] ?? tables.en)[key.slice(0, dot)] ?? {};
  const name = key.slice(dot + 1);
  if (typeof params.n === 'number') {
    const form = area[`${name}_${formsOf(current).plural.select(params.n)}`];
    if (form !== undefined) return form;
  }
  return area[name] ?? area[`${name}_other`] ?? key;
}
