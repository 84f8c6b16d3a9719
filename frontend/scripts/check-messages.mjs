// Fails when a message is missing in a language, left over in one, or has
// other placeholders there than in English.
import { readdirSync, readFileSync } from 'node:fs';
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

for (const line of complaints) console.error(line);
if (complaints.length > 0) process.exit(1);
console.log(`${english.length} message files agree in all languages`);
