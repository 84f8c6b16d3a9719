// What ssh asks, and what it hears. A script plays ssh, and asks as it does: by the
// program that Beckon names. tests/real has the real one.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { addHost, ask, status, whisper } from '../support/executors';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

const bin = join(tmpdir(), `beckon-ssh-asks-${process.pid}`);
const print = 'SHA256:9tXw1n0cQy7u2mVbZk4LrPzE8sHfJ6gDqA3oWvN5iKc';
// It asks a host's questions and writes down what it hears; then the host is away.
const ssh = `#!/bin/sh
for last; do :; done
[ "$1" = -N ] || exit 64
ask() {
  heard=$("$SSH_ASKPASS" "$1") || { echo 'Host key verification failed.' >&2; exit 255; }
  echo "$heard" >>"${bin}/$last.heard"
}
case "$last" in
new*) ask "$(printf '%s\\n' "The authenticity of host 'build-04.lan (10.0.4.17)' can't be established." 'ED25519 key fingerprint is ${print}.' 'This key is not known by any other names.' 'Are you sure you want to continue connecting (yes/no/[fingerprint])?') " ;;
locked*)
  while ask "Enter passphrase for key '/home/mira/.ssh/id_ed25519': "; do
    [ "$heard" = right ] && break
  done ;;
hostile*) ask "$(printf '(mira@evil) \\033[2J<b>Enter passphrase</b> for key: \\342\\200\\256')" ;;
esac
echo 'ssh: connect to host: Connection refused' >&2
exit 255
`;
test.use({ env: { PATH: `${bin}:${process.env.PATH}` } });
test.beforeAll(() => {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'ssh'), ssh, { mode: 0o755 });
});
test.afterAll(() => rmSync(bin, { recursive: true, force: true }));

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const list = (page: Page) => page.getByRole('navigation', { name: 'Questions' });
const heard = (host: string) =>
  readFileSync(join(bin, `${host}.heard`), 'utf8')
    .trim()
    .split('\n');
const soon = { timeout: patience(30_000) };

test(
  'a new key is accepted by two presses, by the fingerprint that was shown',
  { tag: '@smoke' },
  async ({ page, start }) => {
    test.slow();
    const beckon = await start('text Done.');
    await beckon.open(page);
    const projectId = await beckon.addProject(page);
    await beckon.open(page, '#/settings/executors');
    await addHost(page, 'new-1');
    await expect(row(page, 'new-1')).toContainText('Asks something', soon);
    await expect(rail(page)).toContainText('1 waiting for you');
    await expect(page).toHaveTitle('(1) Beckon');
    await judge(page, 'an executor that asks');
    await beckon.open(page, '#/settings/SAM');
    await saved(page, () => choose(page.getByLabel('Executes on'), 'new-1'));
    await beckon.addTask(page, projectId, { title: 'Bound memory', status: 'queued' });
    await beckon.open(page, '#/');
    const waits = page.getByRole('article', { name: /^SAM-1, Queued/ });
    await expect(waits).toContainText('Waits for new-1: ssh asks something first');
    await expect(waits.getByRole('link', { name: 'Answer' })).toBeVisible();
    await expect(page.getByRole('link', { name: /1 needs you/ })).toBeVisible();
    await judge(page, 'a card that waits for an answer to ssh');
    await beckon.open(page, '#/settings/executors');
    await row(page, 'new-1').getByRole('link', { name: 'Answer what ssh asks for new-1' }).click();

    const card = page.getByRole('group', {
      name: 'new-1 shows a key that this computer has never seen.',
    });
    await expect(card).toContainText('build-04.lan10.0.4.17');
    await expect(card).toContainText(print);
    await expect(card).toContainText('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub');
    await expect(card).toContainText('SAM-1 stays queued');
    await expect(page.getByText('asked by ssh for SAM-1')).toBeVisible();
    await expect(list(page)).toContainText('ssh, 1 task waits');
    await judge(page, 'a key that was never seen');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect(card.getByRole('button', { name: 'Press again: yes' })).toBeVisible();
    await expect(card.getByRole('radio', { name: 'Press again: yes' })).toBeChecked();
    await page.keyboard.press('1');
    await expect(card).toBeHidden();
    await expect(rail(page)).not.toContainText('waiting for you');
    await beckon.open(page, '#/settings/executors');
    await expect(row(page, 'new-1')).toContainText('does not answer', soon);
    // The host was away: ssh was started once more, and the user not asked again.
    expect(heard('new-1')).toEqual([print, print]);
  },
);

test('No to a new key sends nothing, and is final until somebody tries again', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/settings/executors');
  await addHost(page, 'new-2');
  await expect(row(page, 'new-2')).toContainText('Asks something', soon);
  await page.keyboard.press('ControlOrMeta+J'); // it is what is answered next
  const card = page.getByRole('group', { name: /new-2 shows a key/ });
  await expect(card).toBeVisible();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('2');
  await expect(card).toBeHidden();
  await beckon.open(page, '#/settings/executors');
  await expect(row(page, 'new-2')).toContainText(
    'You said no to what ssh asked, so nothing was sent to new-2.',
    soon,
  );
  await page.getByRole('button', { name: 'Try now: new-2' }).click();
  await expect(row(page, 'new-2')).toContainText('Asks something', soon);
  await beckon.call(page, 'SaveSettings', {
    slots: 3,
    language: 'de',
    theme: '',
    singleKeys: true,
  });
  await row(page, 'new-2').getByRole('link').click();
  await expect(
    page.getByRole('group', {
      name: 'new-2 zeigt einen Schlüssel, den dieser Rechner noch nie gesehen hat.',
    }),
  ).toContainText('Ja, merken');
  await page.getByRole('button', { name: /^Nein/ }).click({ delay: newcomer });
  await beckon.open(page, '#/settings/executors');
  await expect(row(page, 'new-2')).toContainText('Du hast die Frage von ssh verneint', soon);
});

test(
  'a passphrase goes to ssh and nowhere else, and is asked again when it was wrong',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    await beckon.open(page, '#/settings/executors');
    await addHost(page, 'locked-1');
    await expect(row(page, 'locked-1')).toContainText('Asks something', soon);
    await page.goto(`${beckon.base}/#/inbox`);
    const card = page.getByRole('group', { name: 'Passphrase for id_ed25519' });
    const field = card.getByLabel('Passphrase', { exact: true });
    await expect(field).toHaveAttribute('type', 'password');
    await expect(card.getByRole('button', { name: 'Send' })).toBeDisabled();
    await expect(card).toContainText('Goes to ssh once. Never stored, never logged');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('o');
    await expect(field).toBeFocused();
    await page.keyboard.type('wrong j 1');
    await card.getByRole('button', { name: 'Show what is typed' }).click();
    await expect(field).toHaveAttribute('type', 'text');
    await expect(field).toHaveValue('wrong j 1');
    await judge(page, 'a passphrase');
    await field.press('Enter');
    await expect(card.getByRole('alert')).toHaveText('That was wrong. Try once more.', soon);
    await expect(field).toHaveValue('');
    await field.fill('right');
    await judge(page, 'a passphrase that was wrong');
    await card.getByRole('button', { name: 'Send' }).click();
    await expect(card).toBeHidden();
    await beckon.open(page, '#/settings/executors');
    await expect(row(page, 'locked-1')).toContainText('does not answer', soon);
    expect(heard('locked-1')).toEqual(['wrong j 1', 'right', 'right']);
    await addHost(page, 'locked-2');
    await expect(row(page, 'locked-2')).toContainText('Asks something', soon);
    await page.goto(`${beckon.base}/#/inbox`);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await beckon.open(page, '#/settings/executors');
    await expect(row(page, 'locked-2')).toContainText('You said no', soon);
  },
);

test(
  'a server’s own words are shown as what they are',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    await beckon.open(page, '#/settings/executors');
    await addHost(page, 'hostile-1');
    await expect(row(page, 'hostile-1')).toContainText('Asks something', soon);
    await page.goto(`${beckon.base}/#/inbox`);
    const card = page.getByRole('group', { name: 'ssh asks' });
    await expect(card).toContainText('(mira@evil) [2J<b>Enter passphrase</b> for key:');
    await expect(card.getByLabel('Answer', { exact: true })).toHaveAttribute('type', 'password');
    await expect(card.locator('.cmd b')).toHaveCount(0);
  },
);

test('J and K walk over what ssh asks, too, and a touch has nothing to say', async ({
  page,
  start,
}) => {
  const beckon = await start('match: First\nask Which one? | Left | Right\ntext Thanks.');
  const say = await whisper(page);
  await beckon.openWith(page, { title: 'First' });
  await expect(page.getByText('Which one?').first()).toBeVisible();
  await page.goto(`${beckon.base}/#/inbox`);
  await say({
    executors: {
      all: [
        status('build-02', {
          state: 'checking',
          ask: ask('a2', 'touch', { words: ['Confirm user presence for key ED25519-SK'] }),
        }),
        status('build-04', {
          state: 'checking',
          ask: ask('a1', 'confirm', { since: 1, words: ['Add the key to the agent?'] }),
        }),
      ],
    },
  });
  await expect(list(page).getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Inbox' }).locator('..')).toContainText(
    '3 waiting for you',
  );
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.keyboard.press('j');
  const confirm = page.getByRole('group', { name: 'ssh wants to know' });
  await expect(confirm).toContainText('Add the key to the agent?');
  await judge(page, 'yes or no');
  await page.keyboard.press('j');
  const touch = page.getByRole('group', { name: 'Touch your security key' });
  await expect(touch).toBeVisible();
  await expect(touch.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(confirm).toBeVisible();
  const sent: unknown[] = [];
  await page.route('**/rpc/AnswerExecutor', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ json: null });
  });
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(confirm).toBeHidden();
  expect(sent).toEqual([['build-04', 'a1', { yes: true, text: '' }]]);
});

test('what ssh asks next stands below, without keys, and so does a key that changed', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  const say = await whisper(page);
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.goto(`${beckon.base}/#/inbox`);
  await say({
    executors: {
      all: [
        status('build-04', {
          state: 'checking',
          ask: ask('a1', 'hostKey', {
            since: 1,
            host: 'build-04.lan',
            address: '10.0.4.17',
            key: 'ED25519',
            fingerprint: print,
          }),
        }),
        status('build-02', {
          state: 'checking',
          ask: ask('a2', 'passphrase', { file: '/home/mira/.ssh/id_ed25519' }),
        }),
        status('build-03', {
          state: 'failed',
          why: { code: '', said: 'build-03 shows a different key than before.' },
          changed: { file: '/home/mira/.ssh/known_hosts', line: 41 },
        }),
      ],
    },
  });
  const key = page.getByRole('group', { name: /^build-04 shows a key/ });
  const next = page.getByRole('group', { name: 'Passphrase for id_ed25519' });
  await expect(key).toBeVisible();
  await expect(next).toBeVisible();
  await expect(page.getByText('Next in the list')).toBeVisible();
  const stop = page
    .getByRole('alert')
    .filter({ hasText: 'build-03 shows a different key than before' });
  await expect(stop).toContainText('Then delete line 41 of /home/mira/.ssh/known_hosts yourself.');
  await judge(page, 'a new key, what comes next, and a key that changed');
  const sent: unknown[] = [];
  await page.route('**/rpc/AnswerExecutor', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ json: null });
  });
  await next.getByLabel('Passphrase', { exact: true }).fill('1 1 right');
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('Enter');
  await expect(next).toBeHidden();
  await expect(key, 'it was not answered by that').toBeVisible();
  expect(sent).toEqual([['build-02', 'a2', { yes: true, text: '1 1 right' }]]);
});
