// Where runs execute besides this computer: the settings of it, and the board.
import { expect, test } from '../support/fixture';
import { ask, runOf, status, whisper } from '../support/executors';
import { agents, kestrel, play } from './stage';
import { take } from './take';

test.use({ repo: kestrel });

test('the executors, and the board with them', async ({ page, start }) => {
  const beckon = await start(...agents);
  const say = await whisper(page);
  await play(beckon, page);
  const at = (hours: number, minutes: number) => new Date().setHours(hours, minutes, 0, 0);
  const tasks = await beckon.tasks(page);
  const running = tasks.filter((task) => task.status === 'running');
  expect(running.length).toBeGreaterThan(1);
  await beckon.open(page, '#/settings/executors');
  const all = [
    status('build-01', {}, { host: 'mira@build-01.lan', slots: 12 }),
    status('gpu-box', { state: 'lost', since: at(0, 2), seen: at(0, 1) }),
    status('node 22', {}, { kind: 'container', host: '', image: 'ghcr.io/acme/node:22', network: 'api', slots: 2 }, { system: 'Linux', user: '' }),
    status('team cluster', { answer: 61 }, { kind: 'kubernetes', host: '', image: 'acme/agent', namespace: 'agents', queue: 'team-a', slots: 8 }, { system: '', claude: '', user: '', free: 0 }),
    status('nowhere', { state: 'failed', seen: 0, why: { code: '', said: 'There is no host nowhere: look for it in your ssh configuration.' } }, { slots: 2 }, { system: '', user: '', claude: '' }),
  ];
  const runs = [await runOf(beckon, page, running[0]!, { executor: 'build-01' }), await runOf(beckon, page, running[1]!, { executor: 'gpu-box', linkLost: at(0, 2) })];
  if (running[2]) runs.push(await runOf(beckon, page, running[2], { executor: 'team cluster', phase: 'starting', activity: { verb: '', target: '', since: 0 }, waits: { for: 'quota', words: 'team-a' } }));
  await say({ executors: { all } }, ...runs);
  await page.getByRole('button', { name: 'More for gpu-box' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect(page.getByRole('region', { name: 'Remove gpu-box' })).toContainText('Lost');
  await take(page, 'settings-executors');
  await page.goto(`${beckon.base}/#/`);
  await expect(page.getByText('Link lost 00:02, the agent keeps working')).toBeVisible();
  await take(page, 'board-executors');
  await page.goto(`${beckon.base}/#/settings/executors`);
  await page.setViewportSize({ width: 960, height: 640 });
  await page.getByRole('button', { name: 'Add an executor' }).click();
  await page.getByRole('menuitem', { name: 'Add a host' }).click();
  await take(page, 'min-960x640-executor-add');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add an executor' }).click();
  await page.getByRole('menuitem', { name: 'Add containers' }).click();
  await page.getByLabel('Image').fill('ghcr.io/acme/node:22');
  await page.getByRole('radio', { name: 'Only Claude’s API' }).click();
  await take(page, 'min-960x640-executor-container');
});

test('the Inbox with what ssh asks', async ({ page, start }) => {
  const beckon = await start(...agents);
  const say = await whisper(page);
  await play(beckon, page);
  const waits = (await beckon.tasks(page)).filter((task) => task.status === 'queued' || task.status === 'backlog').slice(0, 3);
  expect(waits.length).toBe(3);
  const queued = (n: number, executor: string) => ({ task: { ...waits[n]!, status: 'queued', startsAt: 0, resume: { at: 0 }, after: '', executor } });
  await beckon.open(page, '#/inbox');
  const key = ask('a1', 'hostKey', { since: 1, host: 'build-04.lan', address: '10.0.4.17', key: 'ED25519', fingerprint: 'SHA256:9tXw1n0cQy7u2mVbZk4LrPzE8sHfJ6gDqA3oWvN5iKc' });
  await say(queued(0, 'build-04'), queued(1, 'build-04'), queued(2, 'build-02'), { executors: { all: [
    status('build-04', { state: 'checking', ask: key }),
    status('build-02', { state: 'checking', ask: ask('a2', 'passphrase', { file: '/home/mira/.ssh/id_ed25519', again: true }) }),
    status('build-03', { state: 'failed', why: { code: '', said: 'build-03 shows a different key than before.' }, changed: { file: '/home/mira/.ssh/known_hosts', line: 41 } }),
  ] } });
  await page.getByRole('link', { name: /Is this the right computer/ }).click();
  await expect(page.getByText('asked by ssh for')).toBeVisible();
  await take(page, 'inbox-host-key');
  await page.getByRole('link', { name: /Passphrase for/ }).click();
  await expect(page.getByRole('group', { name: /Passphrase for/ })).toBeVisible();
  await take(page, 'inbox-passphrase');
  await page.goto(`${beckon.base}/#/settings/executors`);
  await expect(page.getByText('Asks something')).toHaveCount(2);
  await take(page, 'settings-executors-ask');
  await page.setViewportSize({ width: 960, height: 640 });
  await page.goto(`${beckon.base}/#/inbox/a1`);
  await expect(page.getByText('asked by ssh for')).toBeVisible();
  await take(page, 'min-960x640-inbox-host-key');
});
