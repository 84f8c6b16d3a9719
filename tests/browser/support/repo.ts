// A repository as a user has one: plain git, apart from this machine's settings.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { patience } from './patience';

/** What is in a repository at first: its files, by path. */
export interface Sample {
  name: string;
  files: Record<string, string>;
}

export const sample: Sample = {
  name: 'sample',
  files: { 'README.md': '# sample\n', 'src/greet.ts': 'export const greet = () => "hello";\n' },
};

export class Repo {
  constructor(readonly dir: string) {}

  /** Makes the repository, with one commit, in a folder of its name. */
  static make(parent: string, { name, files }: Sample): Repo {
    const dir = join(parent, name);
    const repo = new Repo(dir);
    mkdirSync(dir);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    repo.git('init', '-q', '-b', 'main');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'first');
    return repo;
  }

  /** Runs git in the repository and returns what it says. */
  git(...args: string[]): string {
    const who = {
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@localhost',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@localhost',
    };
    const env = { PATH: process.env.PATH, HOME: this.dir, GIT_CONFIG_NOSYSTEM: '1', ...who };
    return execFileSync('git', args, {
      cwd: this.dir,
      env,
      encoding: 'utf8',
      timeout: patience(20_000),
    });
  }
}
