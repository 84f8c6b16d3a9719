// The changes of a task and its pull request: what is discussed and checked there, and back.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const dir = join(tmpdir(), `beckon-request-${process.pid}`);
const bin = join(dir, 'bin');
test.use({ env: { PATH: `${bin}:${process.env.PATH}`, REQUEST_TEST: dir } });
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);

/** gh, as far as Beckon asks it: what it answers is in the file "answers", what was posted in "posted". */
const gh = `#!/usr/bin/env node
const fs = require('node:fs');
const file = (name) => process.env.REQUEST_TEST + '/' + name;
const answers = JSON.parse(fs.readFileSync(file('answers'), 'utf8'));
const args = process.argv.slice(2);
const path = args.at(-1);
const query = args.find((one) => one.startsWith('--raw-field=query='));
let key = query ? (query.includes('mutation') ? 'resolve' : 'threads') : path;
if (args[0] === 'pr' && args[1] === 'view') key = 'view';
else if (args[0] !== 'api' || !args.includes('--hostname=github.com')) key = 'unknown';
if (args.includes('--method=POST')) {
  const sent = JSON.parse(fs.readFileSync(0, 'utf8'));
  if (sent.path !== 'src/greet.ts') { console.error('gh: Validation Failed (HTTP 422)'); process.exit(1); }
  fs.appendFileSync(file('posted'), JSON.stringify(sent) + '\\n');
  key = 'posted';
}
if (answers[key] === undefined) { console.error('gh: Not Found (HTTP 404) ' + key); process.exit(1); }
process.stdout.write(typeof answers[key] === 'string' ? answers[key] : JSON.stringify(answers[key]));
`;
const ssh = `#!/bin/sh
exec git upload-pack "$REQUEST_TEST/bare.git"
`;

const thread = (id: string, text: string, more: object, hunk = '+// Who is greeted.') => ({
  id,
  isResolved: false,
  path: 'src/greet.ts',
  diffSide: 'RIGHT',
  line: 1,
  comments: {
    nodes: [
      {
        url: `https://github.com/ada/sample/pull/412#${id}`,
        body: text,
        createdAt: '2026-11-26T10:00:00Z',
        diffHunk: `@@ -1 +1,2 @@\n${hunk}`,
        author: { login: 'lena' },
      },
    ],
  },
  ...more,
});
const threads = (...nodes: object[]) => ({
  data: {
    repository: { pullRequest: { reviewThreads: { pageInfo: { hasNextPage: false }, nodes } } },
  },
});

/** What was posted, the oldest first. */
function posted(): { body: string; path: string; line: number; side: string }[] {
  return existsSync(at('posted'))
    ? readFileSync(at('posted'), 'utf8')
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one))
    : [];
}

/** Starts a task from a pull request with a change, whose server has the answers. */
async function open(beckon: Beckon, page: Page, more: Record<string, unknown>): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  for (const [name, text] of [
    ['gh', gh],
    ['fakessh', ssh],
  ] as const) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const { repo } = beckon;
  repo.git('clone', '-q', '--bare', '.', at('bare.git'));
  repo.git('remote', 'add', 'origin', 'git@github.com:ada/sample.git');
  repo.git('config', 'core.sshCommand', 'fakessh');
  repo.git('clone', '-q', at('bare.git'), at('theirs'));
  writeFileSync(
    at('theirs/src/greet.ts'),
    '// Who is greeted.\nexport const greet = () => "hello";\n',
  );
  repo.git(
    '-C',
    at('theirs'),
    '-c',
    'user.name=Lena',
    '-c',
    'user.email=l@example.com',
    'commit',
    '-qam',
    'Say who',
  );
  repo.git('-C', at('theirs'), 'push', '-q', 'origin', 'HEAD:refs/heads/say-who');
  const sha = repo.git('-C', at('theirs'), 'rev-parse', 'HEAD').trim();
  const user = { login: 'ada' };
  writeFileSync(
    at('answers'),
    JSON.stringify({
      'repos/ada/sample/issues/412': {
        number: 412,
        html_url: 'https://github.com/ada/sample/pull/412',
        title: 'Say who is greeted',
        body: 'match',
        state: 'open',
        created_at: '2026-11-26T10:00:00Z',
        user,
        pull_request: {},
      },
      'repos/ada/sample/pulls/412': {
        head: { ref: 'say-who', sha, repo: { full_name: 'ada/sample' }, user },
        base: { ref: 'main', sha: repo.git('rev-parse', 'main').trim() },
      },
      [`repos/ada/sample/commits/${sha}/check-runs?filter=latest&per_page=50&page=1`]: {
        check_runs: [
          {
            id: 3,
            name: 'build (ubuntu)',
            conclusion: 'failure',
            details_url: 'https://github.com/ada/sample/actions/runs/9/job/3',
            output: { title: 'Two tests failed', summary: '' },
            app: { slug: 'github-actions' },
          },
          { id: 4, name: 'scan', conclusion: 'failure', app: { slug: 'other' } },
        ],
      },
      [`repos/ada/sample/commits/${sha}/status?per_page=100`]: { statuses: [] },
      'repos/ada/sample/actions/jobs/3/logs':
        '2026-11-26T10:00:00.1Z greet.test.ts: expected Ada\n2026-11-26T10:00:01.1Z ##[error]exit code 1\n',
      view: {
        number: 412,
        url: 'https://github.com/ada/sample/pull/412',
        state: 'OPEN',
        isDraft: false,
        statusCheckRollup: [{ state: 'FAILURE' }, { state: 'FAILURE' }, { state: 'SUCCESS' }],
      },
      user,
      posted: { html_url: 'https://github.com/ada/sample/pull/412#new' },
      resolve: { data: {} },
      ...more,
    }),
  );
  await beckon.openWith(page);
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'from main' }).click();
  await expect(page.getByRole('combobox', { name: 'Start from' })).toBeFocused();
  await page.keyboard.type('#412');
  await expect(page.getByRole('dialog', { name: /^from/ })).toContainText('Say who is greeted');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'from #412' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1/changes');
}

const work = 'write src/more.ts "export const more = 1;\\n"\ntext Done.';
const mended = 'match: A check of the pull request failed\nresume: yes\ntext I mend it.';

test('what is discussed on a pull request is at its lines, and goes to the agent', async ({
  page,
  start,
}) => {
  const beckon = await start(work);
  await open(beckon, page, {
    threads: threads(
      thread('t1', 'Name the *default*.', {}),
      thread('t2', 'Done', { isResolved: true }),
      thread('t3', 'On a line that is gone.', { line: 0, originalLine: 9 }, '+greet("all");'),
    ),
  });
  const one = page.getByRole('group', { name: 'Discussion on #412, line 1' });
  await expect(one).toContainText('lena');
  await expect(one.locator('em')).toHaveText('default');
  await expect(page.getByRole('group', { name: /^Discussion on/ })).toHaveCount(2);
  await judge(page, 'changes with discussions of the pull request');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('Take 2 discussions');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 drafts for Claude')).toBeVisible();
  await expect(page.getByRole('group', { name: /Your comment on line 1, draft/ })).toContainText(
    'lena says on #412: Name the *default*.',
  );
  await expect(one).toContainText('with Claude');
  await one.getByRole('button', { name: 'Resolve on #412' }).click();
  await expect(one).toHaveCount(1); // the server still says that it is open
});

test('a comment is posted to the pull request by a key, or says why not', async ({
  page,
  start,
}) => {
  const beckon = await start(work);
  await open(beckon, page, { threads: threads() });
  await expect(page.locator('.dl', { hasText: 'Who is greeted' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  await expect(page.getByRole('textbox', { name: 'Comment on line 1' })).toBeFocused();
  await page.keyboard.type('Say $(who)?');
  await expect(page.getByRole('button', { name: 'Post to #412' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  await expect(page.getByText('1 comment is on #412')).toBeVisible();
  expect(posted()).toMatchObject([
    { body: 'Say $(who)?', path: 'src/greet.ts', line: 1, side: 'RIGHT' },
  ]);
  await expect(page.getByRole('group', { name: /Your comment/ }), 'it is there now').toHaveCount(0);

  // What the agent wrote is not pushed.
  await page.keyboard.press(']');
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  await expect(page.getByRole('textbox', { name: 'Comment on line 1' })).toBeFocused();
  await page.keyboard.type('And this?');
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  await expect(page.getByText(/does not have these lines of src\/more\.ts/)).toBeVisible();
  await expect(page.getByRole('group', { name: /Your comment on line 1, draft/ })).toContainText(
    'And this?',
  );
  expect(posted()).toHaveLength(1);
});

test('the log of a check that failed goes to the agent', async ({ page, start }) => {
  const beckon = await start(work, mended);
  await open(beckon, page, { threads: threads() });
  const chip = page.getByRole('group', { name: 'Merge' }).getByRole('button', { name: /#412/ });
  await expect(chip).toContainText('2 of 3 checks failed', { timeout: patience(10_000) });
  await chip.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Checks of #412 that failed' });
  await expect(sheet).toContainText('Two tests failed');
  await expect(sheet).toContainText('Its log is not on this server');
  await expect(
    sheet.getByRole('button', { name: 'Send log to Claude: build (ubuntu)' }),
  ).toBeFocused();
  await judge(page, 'the checks that failed');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent the log of build (ubuntu) to Claude')).toBeVisible();
  await expect(sheet).toBeHidden();
  await beckon.open(page, '#/task/SAM-1');
  const session = page.getByRole('log', { name: 'Session' });
  await expect(session).toContainText('greet.test.ts: expected Ada', {
    timeout: patience(20_000),
  });
  await expect(session).toContainText('I mend it.', { timeout: patience(20_000) });
});
