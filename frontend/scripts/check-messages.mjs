// Fails when a message is missing in a language, left over in one, or has
// other placeholders there than in English; and when the phone's page, or the
// first view of the desk's, says one of an area that does not travel with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../messages/', import.meta.url));
const read = (lang, file) => JSON.parse(readFileSync(`${root}${lang}/${file}`, 'utf8'));
const files = (lang) =>
  readdirSync(root + lang)
    .filter((f) => f.endsWith('.json'))
    .sort();
const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');

const complaints = [];
const english = files('en');
const languages = readdirSync(root, { withFileTypes: true }).filter((l) => l.isDirectory());
for (const lang of languages.map((l) => l.name).filter((l) => l !== 'en')) {
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
    else if (!key.endsWith('_one') && holes(from[key]) !== holes(to[key]))
      complaints.push(`${lang}/${file}: "${key}" has other placeholders`);
  }
  for (const key of Object.keys(to))
    if (!(key in from)) complaints.push(`${lang}/${file}: "${key}" is left over`);
}

/** The files that a file of the page brings along, but for types; `later` ones too, if they are wanted. */
function imports(file, later) {
  const text = readFileSync(file, 'utf8');
  const names = [
    ...text.matchAll(
      /^\s*(?:import(?! type)|export)[^;]*?from '(\.[^']+)'|^\s*import '(\.[^']+)'|import\('(\.[^']+)'\)/gm,
    ),
  ]
    .map((m) => m[1] ?? m[2] ?? (later ? m[3] : ''))
    .filter(Boolean);
  return names.flatMap((name) =>
    ['', '.ts', '/index.ts']
      .map((end) => join(dirname(file), name + end))
      .filter((path) => /\.(ts|svelte)$/.test(path) && existsSync(path))
      .slice(0, 1),
  );
}

/** All files that a page takes, or only those that its first view takes. */
function filesOf(main, later) {
  const all = new Set([main]);
  for (const file of all) imports(file, later).forEach((one) => all.add(one));
  return all;
}

const src = fileURLToPath(new URL('../src/', import.meta.url));
const areas = (table) =>
  [...readFileSync(`${src}i18n/${table}.ts`, 'utf8').matchAll(/as (\w+)/g)].map((m) => m[1]);

/** Complains of what a page's files say of areas that do not travel with them. */
function hold(page, files, missing, least) {
  for (const file of files) {
    for (const [, key, area] of readFileSync(file, 'utf8').matchAll(/'((\w+)\.\w+)'/g)) {
      if (missing.includes(area))
        complaints.push(
          `${file.slice(src.length)}: says "${key}", which does not travel with ${page}`,
        );
    }
  }
  if (files.size < least)
    complaints.push(`${page} has ${files.size} files: this check does not find them any more`);
}

const first = areas('en');
const onPhone = areas('phone/en');
hold(
  "the phone's page",
  filesOf(`${src}phone/main.ts`, true),
  [...first, ...areas('later')].filter((area) => !onPhone.includes(area)),
  40,
);
// The key map only names messages: who lists the keys says them.
const firstView = filesOf(`${src}main.ts`, false);
firstView.delete(`${src}state/keymap.ts`);
hold(
  "the first view of the desk's page",
  firstView,
  areas('later').filter((area) => !first.includes(area)),
  80,
);

for (const line of complaints) console.error(line);
if (complaints.length > 0) process.exit(1);
console.log(`${english.length} message files agree in all languages`);
