// Compresses what a browser is sent of the built page, and leaves the plain form out:
// Beckon carries one of the two, and compresses nothing while somebody waits.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
/** What is shorter fits into one packet as it is. */
const least = 1024;
const text = new Set(['.js', '.css', '.svg', '.html', '.webmanifest']);

for (const name of readdirSync(dist, { recursive: true })) {
  const path = fileURLToPath(new URL(name, dist));
  if (!text.has(extname(path))) continue;
  const plain = readFileSync(path);
  if (plain.length < least) continue;
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
  rmSync(path);
}
