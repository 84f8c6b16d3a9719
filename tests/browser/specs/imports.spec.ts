// Lists of other tools become cards: a table, a list in Markdown, open issues by gh.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const dir = join(tmpdir(), `beckon-imports-${process.pid}`);
const bin = join(dir, 'bin');
test.use({ env: { PATH: `${bin}:${process.env.PATH}` } });
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const issue = (number: number, title: string, more = {}) => ({
  number,
  html_url: `https://github.com/ada/sample/issues/${number}`,
  title,
  body: 'It is so.',
  state: 'open',
  created_at: '2026-11-26T10:00:00Z',
  user: { login: 'tomas' },
  labels: [{ name: 'bug' }],
  ...more,
});
const answers = {
  'repos/ada/sample/issues?state=open&per_page=50&page=1': [
    issue(388, 'Slow shard fails the query'),
    issue(389, 'Missing shards are silent'),
    issue(412, 'A request', { pull_request: {} }),
  ],
};
/** gh, as far as Beckon asks it for lists; any other call fails. */
const gh = `#!/usr/bin/env node
const answers = ${JSON.stringify(answers)};
const [api, host, path, ...rest] = process.argv.slice(2);
if (api !== 'api' || host !== '--hostname=github.com' || rest.length > 0 || answers[path] === undefined) {
  console.error('gh: unknown call'); process.exit(1);
}
console.log(JSON.stringify(answers[path]));
`;

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Import tasks' });
const row = (page: Page, name: RegExp) => sheet(page).getByRole('option', { name });
const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });

test('a table becomes cards by keys alone, and one undo takes them back', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Known already', status: 'backlog' });
  await card(page, 'Known already').focus();
  await page.keyboard.press('Shift+N');
  await expect(sheet(page).getByRole('radio', { checked: true })).toBeFocused();
  await page.keyboard.press('3');
  await judge(page, 'an import before anything is brought');
  await sheet(page)
    .getByLabel(/^Paste a table/)
    .focus();
  await page.keyboard.insertText(
    [
      'ID,Team,Title,Description,Status,Priority,Labels',
      'ENG-1,Core,Retry uploads,"First,\nsecond",Todo,High,"net, bug"',
      'ENG-2,Core,known  already.,,Todo,,',
      'ENG-3,Core,Old one,,Done,,',
      'ENG-4,Core,Not any more,,Canceled,,',
      'ENG-5,Core,,no title,Todo,,',
      'ENG-6,Core,<img src=x onerror=alert(1)>\u202egnp,,Todo,,',
    ].join('\n'),
  );
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(sheet(page)).toContainText('3 of 6 tasks');
  await expect(sheet(page)).toContainText('1 is here already, 1 left out, 1 can’t be imported');
  await expect(row(page, /known already\..*same as SAM-1/)).toHaveAttribute(
    'aria-selected',
    'false',
  );
  await expect(row(page, /<img src=x onerror=alert\(1\)>gnp/)).toBeVisible();
  await judge(page, 'what an import found');

  await choose(sheet(page).getByLabel(/^Done 1/), '');
  await expect(sheet(page)).toContainText('2 of 6 tasks');
  await choose(sheet(page).getByLabel(/^Done 1/), 'done');
  await sheet(page).getByRole('listbox').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('x');
  await expect(sheet(page)).toContainText('2 of 6 tasks');
  await page.keyboard.press('k');
  await page.keyboard.press('Space');
  await expect(row(page, /Not any more.*Backlog/)).toHaveAttribute('aria-selected', 'true');

  await sheet(page).getByRole('button', { name: 'Why?' }).click();
  await expect(sheet(page)).toContainText('It has no title.');
  await judge(page, 'what cannot be imported');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet(page)).toBeHidden();
  await expect(card(page, 'Retry uploads')).toContainText('bug');
  await expect(card(page, 'Not any more')).toBeVisible();
  await expect(page.getByRole('article', { name: /^SAM-3, Done/ })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(4);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('a list comes as a file, and what is ticked off stays out', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'There', status: 'backlog' });
  await beckon.call(page, 'SaveSettings', {
    slots: 6,
    language: 'de',
    theme: '',
    singleKeys: true,
  });
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Importieren');
  await page.getByRole('option', { name: /^Importieren…/ }).click();
  const german = page.getByRole('dialog', { name: 'Aufgaben importieren' });
  const file = (name: string, buffer: Buffer) =>
    german.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
  await file('latin.md', Buffer.from([0x2d, 0x20, 0xdc]));
  await expect(german).toContainText('latin.md ist kein Text in UTF-8 oder UTF-16.');
  const many = Array.from({ length: 1500 }, (_, i) => `- [ ] Aufgabe ${i + 1}`).join('\n');
  await file(
    'plan.md',
    Buffer.from(`\ufeff## Später\n- [x] Fertig\n- [ ] Übung\n  Mehr dazu.\n${many}\n`, 'utf16le'),
  );
  await expect(german).toContainText('1.501 von 1.502 Aufgaben');
  await expect(german.getByRole('option')).not.toHaveCount(1501); // only those in sight are drawn
  await german.getByRole('button', { name: 'Warum?' }).click();
  await expect(german).toContainText('Ist schon abgehakt.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(german).toBeHidden({ timeout: patience(20_000) });
  await expect(card(page, 'Übung')).toBeVisible({ timeout: patience(20_000) });
});

test('open issues become cards whose merges close them, and come once', async ({ page, start }) => {
  const beckon = await start('text Done.');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'gh'), gh);
  chmodSync(join(bin, 'gh'), 0o755);
  beckon.repo.git('remote', 'add', 'origin', 'git@github.com:ada/sample.git');
  await beckon.openWith(page, { title: 'There', status: 'backlog' });
  const open = async () => {
    await page.getByRole('button', { name: 'Import tasks' }).click();
    await expect(sheet(page)).toContainText('gh, github.com');
    await page.keyboard.press('2');
  };
  await open();
  await expect(sheet(page)).toContainText('2 of 2 tasks');
  await expect(row(page, /Slow shard fails the query.*#388/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(card(page, 'Missing shards are silent')).toBeVisible();
  await open();
  await expect(sheet(page)).toContainText('0 of 2 tasks');
  await expect(row(page, /Slow shard.*same as SAM-2/)).toBeVisible();
  await page.keyboard.press('1');
  await sheet(page).getByRole('button', { name: 'Other file…' }).click();
  await sheet(page).getByLabel('Path of the database on this computer').fill('/nowhere/db.sqlite');
  await page.keyboard.press('Enter');
  await expect(sheet(page).getByRole('alert')).toContainText(
    'No vibe-kanban database can be read at /nowhere/db.sqlite.',
  );
  await judge(page, 'a database that is not there');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
});
