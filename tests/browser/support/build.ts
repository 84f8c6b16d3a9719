import { execFileSync } from 'node:child_process';
import { root } from './places';
import { patience } from './patience';

/** Brings the program up to date, so that no test judges an old one. */
export default function build(): void {
  execFileSync('make', ['-s', 'build'], {
    cwd: root,
    stdio: 'inherit',
    timeout: patience(300_000),
  });
}
