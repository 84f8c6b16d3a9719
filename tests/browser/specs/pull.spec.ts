// A branch goes to its server as a pull request, which is followed from the card.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

// Made by the test: what only lists the tests reads this file, too.
const dir = join(tmpdir(), `beckon-pull-${process.pid}`);
const bin = join(dir, 'bin');
test.use({ env: { PATH: `${bin}:${process.env.PATH}`, PULL_TEST: dir } });
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

/**
 * gh, as far as Beckon calls it; anything else fails. It writes the server's file only
 * where the test waits for it, which changes the file while gh is asked.
 */
const gh = `#!/usr/bin/env node
const fs = require('node:fs');
const file = process.env.PULL_TEST + '/server.json';
const server = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { requests: [] };
const [a, b, ...rest] = process.argv.slice(2);
const is = (...want) => want.length === rest.length && want.every((one, i) => (one instanceof RegExp ? one.test(rest[i]) : one === rest[i]));
const repo = '--repo=github.com/ada/sample';
if (fs.existsSync(process.env.PULL_TEST + '/signed-out')) {
  console.error('To get started with GitHub CLI, please run:  gh auth login');
  process.exit(4);
}
if (a + b === 'prlist' && is(repo, /^--head=beckon\\/sam-1-/, '--state=open', '--limit=30', '--json=number,url,state,isDraft,isCrossRepository,baseRefName')) {
  console.log(JSON.stringify(server.requests.filter((one) => one.state === 'OPEN')));
} else if (a + b === 'prcreate' && is(repo, /^--head=beckon\\/sam-1-/, '--base=main', /^--title=/, '--body-file=-', '--draft')) {
  const number = 7;
  const url = 'https://github.com/ada/sample/pull/7';
  server.requests.push({ number, url, state: 'OPEN', isDraft: true, isCrossRepository: false, baseRefName: 'main', title: rest[3].slice(8), body: fs.readFileSync(0, 'utf8'), statusCheckRollup: [] });
  fs.writeFileSync(file, JSON.stringify(server));
  console.log(url);
} else if (a + b === 'prview' && is('7', repo, '--json=number,url,state,isDraft,statusCheckRollup')) {
  console.log(JSON.stringify(server.requests[0]));
} else {
  console.error('unknown call');
  process.exit(1);
}
`;
const ssh = `#!/bin/sh
exec git receive-pack "$PULL_TEST/bare.git"
`;

interface Server {
  requests: {
    title: string;
    body: string;
    state: string;
    isDraft: boolean;
    statusCheckRollup: { state: string }[];
  }[];
}
const server = (): Server => JSON.parse(readFileSync(join(dir, 'server.json'), 'utf8')) as Server;

test(
  'a pull request is opened as a draft, by keys, and its state and checks are on the card',
  { tag: '@smoke' },
  async ({ page, start }) => {
    mkdirSync(bin, { recursive: true });
    for (const [name, text] of [
      ['gh', gh],
      ['fakessh', ssh],
    ] as const) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    const beckon = await start('write src/one.txt one\ntext Done.');
    beckon.repo.git('init', '-q', '--bare', join(dir, 'bare.git'));
    beckon.repo.git('remote', 'add', 'origin', 'git@github.com:ada/sample.git');
    beckon.repo.git('config', 'core.sshCommand', 'fakessh');
    await beckon.openWith(page, { title: 'Count to one' });
    const card = page.getByRole('article', { name: /^SAM-1, Review/ });
    await expect(card).toBeVisible({ timeout: patience(20_000) });

    await beckon.open(page, '#/task/SAM-1/changes');
    await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
    await page.keyboard.press('Shift+M');
    await expect(page.getByRole('menu', { name: 'Choose how to merge' })).toBeVisible();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Open a pull request for SAM-1' });
    const title = sheet.getByRole('textbox', { name: 'Title' });
    await expect(title).toBeFocused();
    await expect(title).toHaveValue('Count to one');
    await expect(sheet).toContainText('(github.com). Then gh opens the pull request there.');
    await sheet.getByRole('switch', { name: /^Draft/ }).click();
    await judge(page, 'a pull request before it is opened');
    await title.fill('Count $(touch x) to one');
    await sheet.getByRole('textbox', { name: 'Description' }).fill('Because `one` was missing.');

    writeFileSync(join(dir, 'signed-out'), '');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText(/gh is not signed in to github\.com.*gh auth login/)).toBeVisible();
    await expect(title, 'what was typed is kept').toHaveValue('Count $(touch x) to one');
    rmSync(join(dir, 'signed-out'));
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText('#7 is open for SAM-1')).toBeVisible();
    await expect(sheet).toBeHidden();
    const branch = beckon.repo
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/beckon/')
      .trim();
    expect(beckon.repo.git(`--git-dir=${join(dir, 'bare.git')}`, 'rev-parse', branch)).toBe(
      beckon.repo.git('rev-parse', branch),
    );
    expect(server().requests.map(({ title, body, isDraft }) => ({ title, body, isDraft }))).toEqual(
      [{ title: 'Count $(touch x) to one', body: 'Because `one` was missing.', isDraft: true }],
    );

    const chip = page.getByRole('group', { name: 'Merge' }).getByRole('button', { name: /#7/ });
    await expect(chip).toContainText('#7 draft');
    const now = server();
    Object.assign(now.requests[0]!, {
      isDraft: false,
      statusCheckRollup: [{ state: 'SUCCESS' }, { state: 'PENDING' }],
    });
    writeFileSync(join(dir, 'server.json.new'), JSON.stringify(now));
    renameSync(join(dir, 'server.json.new'), join(dir, 'server.json'));
    const [task] = await beckon
      .call<{ events: { task?: { id: string } }[] }>(page, 'Attach', 'other')
      .then(({ events }) => events.flatMap((event) => event.task ?? []));
    await beckon.call(page, 'RefreshPull', task!.id);
    await expect(chip).toContainText('#7 open');
    await expect(chip).toContainText('1 of 2 checks running');

    await page.keyboard.press('Shift+M');
    await expect(page.getByRole('menuitem', { name: 'Push to #7…' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Send back…' }), 'it has a button').toHaveCount(
      0,
    );
    await page.keyboard.press('Escape');

    // A small window has room for one row of it: what is rare is in the menu.
    const bar = page.getByRole('group', { name: 'Merge' });
    const wide = (await bar.boundingBox())!.height;
    await page.setViewportSize({ width: 960, height: 640 });
    await expect(bar.getByRole('button', { name: 'Send back…' })).toHaveCount(0);
    expect((await bar.boundingBox())!.height).toBeLessThanOrEqual(wide);
    await page.keyboard.press('Shift+M');
    await expect(page.getByRole('menuitem', { name: 'Discard…' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Send back…' }).click();
    await expect(page.getByRole('dialog')).toContainText('SAM-1');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await beckon.open(page, '#/');
    await expect(card).toContainText('#7 open');
    await judge(page, 'a card with its pull request');
  },
);
