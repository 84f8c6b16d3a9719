// What a task starts from is chosen in its form: a branch, a pull request, an issue, a task.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import type { Repo } from '../support/repo';

const dir = join(tmpdir(), `beckon-start-${process.pid}`);
const bin = join(dir, 'bin');
test.use({ env: { PATH: `${bin}:${process.env.PATH}`, START_TEST: dir } });
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const pull = {
  number: 412,
  html_url: 'https://github.com/ada/sample/pull/412',
  title: 'Report missing shards',
  body: 'They are silent today.',
  state: 'open',
  created_at: '2026-11-26T10:00:00Z',
  user: { login: 'tomas' },
  pull_request: {},
};
const answers: Record<string, unknown> = {
  'repos/ada/sample/issues/412': pull,
  'repos/ada/sample/pulls/412': {
    head: { ref: 'missing-shards', repo: { full_name: 'ada/sample' }, user: { login: 'ada' } },
    base: { ref: 'main' },
    additions: 118,
    deletions: 22,
  },
  'repos/ada/sample/pulls?state=open&per_page=50&page=1': [
    {
      ...pull,
      head: { ref: 'missing-shards', repo: { full_name: 'ada/sample' }, user: { login: 'ada' } },
      base: { ref: 'main' },
    },
  ],
  'repos/ada/sample/issues/388': {
    ...pull,
    number: 388,
    html_url: 'https://github.com/ada/sample/issues/388',
    title: 'Slow shard fails the query',
    pull_request: undefined,
  },
  graphql: {
    data: {
      repository: {
        pullRequest: {
          reviewThreads: {
            nodes: [
              {
                isResolved: false,
                path: 'notes/a.txt',
                line: 1,
                comments: { nodes: [{ body: 'Why twice?', author: { login: 'lena' } }] },
              },
            ],
          },
        },
      },
    },
  },
};
/** gh, as far as Beckon asks it; what the server has not is said as gh says it. */
const gh = `#!/usr/bin/env node
const answers = ${JSON.stringify(answers)};
const [api, ...rest] = process.argv.slice(2);
const asked = rest[0] === 'graphql' ? 'graphql' : rest[1];
if (api !== 'api' || !rest.includes('--hostname=github.com')) { console.error('unknown call'); process.exit(1); }
if (answers[asked] === undefined) { console.error('gh: Not Found (HTTP 404)'); process.exit(1); }
console.log(JSON.stringify(answers[asked]));
`;
const ssh = `#!/bin/sh
exec git upload-pack "$START_TEST/bare.git"
`;

/** A repository whose remote has a branch of its own, beside Beckon with gh. */
function remote(repo: Repo): void {
  mkdirSync(bin, { recursive: true });
  for (const [name, text] of [
    ['gh', gh],
    ['fakessh', ssh],
  ] as const) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const bare = join(dir, 'bare.git');
  rmSync(bare, { recursive: true, force: true });
  repo.git('clone', '-q', '--bare', '.', bare);
  repo.git('remote', 'add', 'origin', 'git@github.com:ada/sample.git');
  repo.git('config', 'core.sshCommand', 'fakessh');
  const begun = repo.git('commit-tree', '-p', 'main', '-m', 'begun', 'main^{tree}').trim();
  repo.git('push', '-q', bare, `${begun}:refs/heads/missing-shards`);
}

const starts = (page: Page) => page.getByRole('dialog', { name: /^from/ });

test('a task goes on with a pull request, by keys', { tag: '@smoke' }, async ({ page, start }) => {
  const beckon = await start('write src/one.txt one\ntext Done.');
  remote(beckon.repo);
  await beckon.openWith(page);
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'from main' }).click();
  const panel = starts(page);
  await expect(panel.getByRole('combobox', { name: 'Start from' })).toBeFocused();
  await judge(page, 'what a new task starts from');
  await page.keyboard.type('#7');
  await expect(panel).toContainText('#7 is no pull request and no issue of ada/sample.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await expect(panel.getByRole('option', { name: /^#412 Report missing shards/ })).toBeVisible();
  await judge(page, 'the pull requests that are open');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Report missing shards');
  await expect(panel).toContainText('Its open comment comes along');
  await judge(page, 'a pull request that a task starts from');
  await page.keyboard.press('Enter');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Title' })).toHaveValue(
    'Report missing shards',
  );
  await expect(page.getByRole('textbox', { name: 'Brief' })).toHaveValue(
    /They are silent today\.[\s\S]*`notes\/a\.txt`:1 \(lena\): Why twice\?/,
  );
  await expect(page.getByRole('button', { name: 'from #412' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  expect(beckon.repo.git('log', '--format=%s', 'main..missing-shards').trim()).toMatch(/\nbegun$/);
});

test('a branch that is in use is branched off, and another is gone on with', async ({
  page,
  start,
}) => {
  const beckon = await start('write src/one.txt one\ntext Done.');
  beckon.repo.git('branch', 'partial-flag');
  await beckon.openWith(page);
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Title' })
    .fill('Return partial results');
  const pill = page.getByRole('button', { name: /^from/ });
  await pill.click();
  const panel = starts(page);
  await page.keyboard.type('mai');
  await expect(panel.getByRole('option', { name: /main/ })).toContainText('can’t be used twice');
  await judge(page, 'a branch that cannot be used twice');
  await page.keyboard.press('Enter');
  await expect(pill).toHaveAccessibleName('from main');
  await pill.click();
  await page.keyboard.type('part');
  await expect(panel.getByRole('option', { name: /partial-flag/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(pill).toHaveAccessibleName('from partial-flag');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  expect(beckon.repo.git('log', '--format=%s', 'main..partial-flag').trim()).toBe(
    'Return partial results',
  );
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  await pill.click();
  await page.keyboard.type('SAM-1');
  await expect(panel.getByRole('option', { name: /^SAM-1/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(pill).toHaveAccessibleName('from SAM-1');
});

test('a new branch has the name that was typed', async ({ page, start }) => {
  const beckon = await start('write src/one.txt one\ntext Done.');
  await beckon.openWith(page);
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Retry');
  await page.getByRole('button', { name: 'from main' }).click();
  await page.getByRole('textbox', { name: 'Name of the branch' }).fill('feat/two words');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(/Git takes no branch called “feat\/two words”/)).toBeVisible();
  await page.getByRole('button', { name: 'from feat/two words' }).click();
  await page.getByRole('textbox', { name: 'Name of the branch' }).fill('feat/retry');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  expect(beckon.repo.git('log', '--format=%s', 'main..feat/retry').trim()).toBe('Retry');
});

test('a link that is pasted on the board becomes its task', async ({ page, start }) => {
  const beckon = await start('text Done.');
  remote(beckon.repo);
  await beckon.openWith(page);
  const quick = page.getByRole('combobox', { name: 'Title of the new task' });
  await expect(quick).toBeFocused();
  await quick.evaluate((field) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'https://github.com/ada/sample/issues/388\n');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));
  });
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('textbox', { name: 'Title' })).toHaveValue(
    'Slow shard fails the query',
  );
  await expect(sheet.getByRole('button', { name: 'from #388' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('article', { name: /^SAM-1, Backlog/ })).toBeVisible();
});
