// Fails when a message is missing in a language, left over in one, or has
// other placeholders there than in English; and when the phone's page says one
// of an area that does not travel to the phone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../messages/', import.meta.url));
const read = (lang, file) => JSON.parse(readFileSync(`${root}${lang}/${file}`, 'utf8'));
const files = (lang) => readdirSync(root + lang).filter((f) => f.endsWith('.json')).sort();
const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');

const complaints = [];
const english = files('en');
for (const lang of readdirSync(root).filter((l) => l !== 'en')) {
  for (const file of new Set([...english, ...files(lang)])) {
    if (!english.includes(file)) complaints.push(`${lang}/${file}: has no English counterpart`);
    else if (!files(lang).includes(file)) complaints.push(`${lang}/${file}: is missing`);
    else compare(lang, file);
  }
}

function compare(lang, file) {
  const from = read('en', file);
  const to = read(lang, file);
  for (const key of Object.keys(from)) {
    if (!(key in to)) complaints.push(`${lang}/${file}: "${key}" is missing`);
    else if (to[key].trim() === '') complaints.push(`${lang}/${file}: "${key}" is empty`);
    else if (!key.endsWith('_one') && holes(from[key]) !== holes(to[key])) complaints.push(`${lang}/${file}: "${key}" has other placeholders`);
  }
  for (const key of Object.keys(to)) if (!(key in from)) complaints.push(`${lang}/${file}: "${key}" is left over`);
}

/** The files that a file of the page brings along, but for types. */
function imports(file) {
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/^\s*(?:import(?! type)|export)[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)|^\s*import '(\.[^']+)'/gm)].map((m) => m[1] ?? m[2] ?? m[3]);
  return names.flatMap((name) => ['', '.ts', '/index.ts'].map((end) => join(dirname(file), name + end)).filter((path) => /\.(ts|svelte)$/.test(path) && existsSync(path)).slice(0, 1));
}

const src = fileURLToPath(new URL('../src/', import.meta.url));
const areas = (table) => [...readFileSync(`${src}i18n/${table}.ts`, 'utf8').matchAll(/as (\w+)/g)].map((m) => m[1]);
const onPhone = areas('phone/en');
const onDesk = areas('en').filter((area) => !onPhone.includes(area));
const ofPhone = new Set();
for (const todo = [`${src}phone/main.ts`]; todo.length > 0; ) {
  const file = todo.pop();
  if (ofPhone.has(file)) continue;
  ofPhone.add(file);
  todo.push(...imports(file));
}
for (const file of ofPhone) {
  for (const [, key, area] of readFileSync(file, 'utf8').matchAll(/'((\w+)\.\w+)'/g)) {
    if (onDesk.includes(area)) complaints.push(`${file.slice(src.length)}: says "${key}", which does not travel to the phone`);
  }
}
if (ofPhone.size < 40) complaints.push(`the phone's page has ${ofPhone.size} files: this check does not find them any more`);

for (const line of complaints) console.error(line);
if (complaints.length > 0) process.exit(1);
console.log(`${english.length} message files agree in all languages`);
