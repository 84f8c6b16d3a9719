import { execFileSync } from 'node:child_process';
import { root } from './places';

/** Brings the program up to date, so that no test judges an old one. */
export default function build(): void {
  execFileSync('make', ['-s', 'build'], { cwd: root, stdio: 'inherit', timeout: 300_000 });
}
