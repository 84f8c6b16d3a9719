// Where runs execute besides this computer. A host that is not there needs no other
// machine; what takes a link is put among the words of the back end.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { addHost, runOf, status, whisper } from '../support/executors';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

// ssh would ask beyond this computer whether there is such a host. This one says what it
// then says, of that host alone; tests/real has the real one.
const ssh = `#!/bin/sh
for last; do :; done
if [ "$last" = nowhere.invalid ] && [ "$1" = -N ]; then
  echo 'ssh: Could not resolve hostname nowhere.invalid: Name or service not known' >&2
  exit 255
fi
echo "not played: $*" >&2
exit 64
`;
const docker = `#!/bin/sh
echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2
exit 1
`;
// Podman is there; the CLI for dev containers, which is looked for next, is not.
const podman = `#!/bin/sh
[ "$*" = version ] && exec echo 5.4.2
echo "not played: $*" >&2
exit 64
`;
// Made by the tests: what only lists them reads this file, too.
const bin = join(tmpdir(), `beckon-ssh-spec-${process.pid}`);
test.use({ env: { PATH: `${bin}:${process.env.PATH}` } });
test.beforeAll(() => {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'ssh'), ssh, { mode: 0o755 });
  writeFileSync(join(bin, 'docker'), docker, { mode: 0o755 });
  writeFileSync(join(bin, 'podman'), podman, { mode: 0o755 });
});
test.afterAll(() => rmSync(bin, { recursive: true, force: true }));

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const card = (page: Page, key: string) =>
  page.getByRole('article', { name: new RegExp(`^${key}, `) });
/** ssh has said by then that there is no such host. */
const soon = { timeout: patience(30_000) };

/** Chooses a language for the page. */
async function speak(beckon: Beckon, page: Page, language: string) {
  await beckon.call(page, 'SaveSettings', { slots: 3, language, theme: '', singleKeys: true });
}

test('an executor that cannot be reached is added, corrected, chosen and removed, and says why nothing starts there', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start('text Done.');
  await beckon.open(page);
  const projectId = await beckon.addProject(page);
  await beckon.open(page, '#/settings/executors');
  await expect(
    page.getByText('An executor is another machine, a container or a cluster'),
  ).toBeVisible();
  await expect(row(page, 'This computer')).toContainText('always here');

  await page.getByRole('button', { name: 'Add an executor' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Add a host' })).toBeFocused();
  await judge(page, 'the kinds of executors');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Add a host' });
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toHaveText('Enter a host.');
  await expect(sheet.getByLabel('Host')).toBeFocused();
  await sheet.getByLabel('Host').fill('-oProxyCommand=x');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toContainText('is no host');
  await expect(sheet.getByLabel('Host')).toHaveAttribute('aria-invalid', 'true');
  await sheet.getByLabel('Host').fill('mira@nowhere.invalid');
  await expect(sheet.getByLabel('Name'), 'the name follows the host').toHaveValue('nowhere');
  await sheet.getByLabel('Name').fill('farm');
  await sheet.getByLabel('Host').fill('nowhere.invalid');
  await expect(sheet.getByLabel('Name'), 'until somebody writes one').toHaveValue('farm');
  await sheet.getByRole('button', { name: 'More' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add an executor' }).click();
  await page.getByRole('menuitem', { name: 'Add a host' }).click();
  await sheet.getByLabel('Host').fill('nowhere.invalid');
  await sheet.getByLabel('Name').fill('farm');
  await page.keyboard.press('Enter');

  await expect(row(page, 'farm')).toContainText('Can’t be used', soon);
  await expect(row(page, 'farm')).toContainText(
    'There is no host nowhere.invalid: look for it in your ssh configuration.',
  );
  await expect(row(page, 'farm')).toContainText('0 of 4');
  await judge(page, 'executors');

  await page.getByRole('button', { name: 'More for farm' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit farm' });
  await edit.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await expect(edit.getByRole('alert')).toContainText('needs a name');
  await edit.getByLabel('Name').fill('Build farm');
  await page.keyboard.press('Enter');
  await expect(edit).toBeHidden();
  await expect(row(page, 'Build farm')).toContainText('Can’t be used', soon);

  await beckon.open(page, '#/settings/SAM');
  await saved(page, () => choose(page.getByLabel('Executes on'), 'Build farm'));
  await beckon.addTask(page, projectId, { title: 'Bound memory', status: 'queued' });
  await beckon.open(page, '#/');
  const waits =
    'Waits for Build farm: There is no host nowhere.invalid: look for it in your ssh configuration.';
  await expect(card(page, 'SAM-1')).toContainText(waits, soon);
  await expect(card(page, 'SAM-1'), 'it did not stop').toHaveAttribute(
    'aria-label',
    /^SAM-1, Queued/,
  );
  await judge(page, 'a card that waits for an executor');

  await speak(beckon, page, 'de');
  await expect(card(page, 'SAM-1')).toContainText(
    'Wartet auf Build farm: Es gibt keinen Host nowhere.invalid',
  );
  await beckon.open(page, '#/settings/executors');
  await expect(row(page, 'Build farm')).toContainText(
    'Es gibt keinen Host nowhere.invalid: Sieh in deiner ssh-Konfiguration nach.',
    soon,
  );
  await speak(beckon, page, 'en');
  await expect(row(page, 'Build farm'), 'the page speaks English again').toContainText(
    'There is no host nowhere.invalid',
    soon,
  );

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('>Build farm');
  const lines = page.getByRole('dialog', { name: 'Tasks and commands' }).getByRole('option');
  await expect(lines.filter({ hasText: 'Edit Build farm…' })).toBeVisible();
  await expect(lines.filter({ hasText: 'Try now: Build farm' })).toBeVisible();
  await lines.filter({ hasText: 'Remove Build farm…' }).click();
  const remove = page.getByRole('region', { name: 'Remove Build farm' });
  await expect(remove).toContainText('No agent is working on Build farm');
  await expect(
    remove.getByRole('button', { name: 'Wait for the link, then remove' }),
  ).toBeFocused();
  await judge(page, 'what goes with an executor');
  await remove.getByRole('button', { name: 'Forget Build farm now…' }).click();
  await page
    .getByRole('dialog', { name: 'Forget Build farm?' })
    .getByRole('button', { name: 'Forget Build farm' })
    .click();
  await expect(row(page, 'Build farm')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add an executor' })).toBeFocused();
  await beckon.open(page, '#/');
  await expect(card(page, 'SAM-1'), 'its project has no executor any more').toHaveAttribute(
    'aria-label',
    /^SAM-1, Review/,
    soon,
  );
});

test('a task chooses where it executes, cards are given an executor together, and that is taken back', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(
    page,
    { title: 'One', status: 'backlog' },
    { title: 'Two', status: 'backlog' },
  );
  await page.reload(); // the empty board had the cursor
  await expect(card(page, 'SAM-2')).toBeVisible();
  await page.keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: /New task/ });
  await expect(sheet.getByLabel('Model')).toBeVisible();
  await expect(sheet.getByLabel('Executes on'), 'there is nothing to choose').toHaveCount(0);
  await page.keyboard.press('Escape');
  await beckon.open(page, '#/settings/executors');
  await addHost(page, 'nowhere.invalid');
  await expect(row(page, 'nowhere')).toContainText('Can’t be used', soon);
  const {
    executor: { id },
  } = (
    await beckon.call<{ events: { executors?: { all: { executor: { id: string } }[] } }[] }>(
      page,
      'Attach',
      'browsertests',
    )
  ).events.flatMap((event) => event.executors?.all ?? [])[0]!;
  await beckon.open(page, '#/');

  writeFileSync(join(beckon.repo.dir, '.worktreeinclude'), '.env*\n');
  writeFileSync(join(beckon.repo.dir, '.git/info/exclude'), '.env*\n');
  writeFileSync(join(beckon.repo.dir, '.env'), 'A=1\n');
  await page.keyboard.press('c');
  await sheet.getByLabel('Title').fill('Three');
  await choose(sheet.getByLabel('Executes on'), 'nowhere');
  await expect(sheet).toContainText('Goes along to nowhere: .env.');
  await expect(sheet).toContainText('nowhere can’t be used at the moment. Starts when it can.');
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await expect(card(page, 'SAM-3')).toContainText('nowhere');
  await expect(card(page, 'SAM-1')).not.toContainText('nowhere');

  await card(page, 'SAM-1').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await page.getByRole('button', { name: 'More for the selection' }).click();
  await page.getByRole('menuitem', { name: 'Executor…' }).click();
  await expect(page.getByRole('combobox', { name: 'Executor of 2 tasks' })).toBeFocused();
  await page.keyboard.type('now');
  await page.keyboard.press('Enter');
  const executors = async () =>
    (await beckon.tasks(page))
      .sort((a, b) => a.key.localeCompare(b.key))
      .map((task) => (task as unknown as { executor: string }).executor);
  await expect.poll(executors).toEqual([id, id, id]);
  await expect(card(page, 'SAM-2')).toContainText('nowhere');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(executors).toEqual(['', '', id]);

  await card(page, 'SAM-3').focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('duplicate');
  await page.keyboard.press('Enter');
  await expect(card(page, 'SAM-4')).toContainText('nowhere');
  await beckon.open(page, '#/task/SAM-3');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: /Edit/ });
  await choose(edit.getByLabel('Executes on'), 'This computer');
  await edit.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(executors).toEqual(['', '', '', id]);
});

test(
  'who follows an agent elsewhere sees that its link is lost, and that nothing was missed',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('match: Work\ntext I work.\nrun sleep 120');
    const say = await whisper(page);
    const [work] = await beckon.openWith(page, { title: 'Work far away' }, { title: 'Work here' });
    await expect(card(page, 'SAM-1')).toContainText(/Running/, soon);
    await expect(card(page, 'SAM-2')).toContainText(/Running/, soon);
    await expect(page.getByText('2/3 running').first()).toBeVisible();
    await say(
      { executors: { all: [status('gpu-box')] } },
      await runOf(beckon, page, work!, { executor: 'gpu-box' }),
    );
    await expect(card(page, 'SAM-1').getByTitle('Executes on gpu-box')).toBeVisible();
    await expect(
      card(page, 'SAM-2').getByTitle(/Executes on/),
      'none on this computer',
    ).toHaveCount(0);
    await expect(
      page.getByRole('navigation', { name: 'Main' }),
      'what is free is on none of them',
    ).toContainText('2 running');
    await expect(page.getByRole('navigation', { name: 'Main' })).not.toContainText('/3');

    const lost = new Date().setHours(0, 2, 0, 0);
    await say(
      { executors: { all: [status('gpu-box', { state: 'lost', since: lost })] } },
      await runOf(beckon, page, work!, { executor: 'gpu-box', linkLost: lost }),
    );
    const line = 'Link lost 00:02, the agent keeps working';
    await expect(card(page, 'SAM-1')).toContainText(line);
    await expect(card(page, 'SAM-1')).toContainText('when last seen');
    await expect(card(page, 'SAM-1').locator('.pulse'), 'nothing is known to move').toHaveCount(0);
    await expect(card(page, 'SAM-2').locator('.pulse')).toHaveCount(1);
    await judge(page, 'a board with a lost link');
    const tried = page.waitForRequest(/\/rpc\/CheckExecutor/);
    await card(page, 'SAM-1').getByRole('button', { name: 'Try now' }).click();
    expect((await tried).postDataJSON()).toEqual(['gpu-box']);
    await page.keyboard.press('Escape'); // what Beckon says: it knows no such executor
    await card(page, 'SAM-1').focus();
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('>try now');
    await expect(
      page
        .getByRole('dialog', { name: 'Tasks and commands' })
        .getByRole('option', { name: /Try now: gpu-box/ }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    for (const hash of ['#/mission', `#/task/${work!.key}`]) {
      await page.goto(`${beckon.base}/${hash}`);
      await expect(page.getByText(line), hash).toBeVisible();
      await expect(page.getByTitle('Executes on gpu-box').first(), hash).toBeVisible();
      await judge(page, `a lost link on ${hash}`);
    }
    await page.goto(`${beckon.base}/#/settings/executors`);
    await expect(row(page, 'gpu-box')).toContainText('SAM-1 keeps working');
    await page.getByRole('button', { name: 'More for gpu-box' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const remove = page.getByRole('region', { name: 'Remove gpu-box' });
    await expect(remove).toContainText('SAM-1 is still working on gpu-box');
    await expect(remove).toContainText(
      'What SAM-1 did since its last turn, unless the link comes back first',
    );
    await expect(remove.getByRole('button', { name: /^Forget gpu-box/ })).toBeDisabled();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(
      page.getByRole('button', { name: 'Try now: gpu-box' }),
      'the focus is where it came from',
    ).toBeFocused();

    await page.goto(`${beckon.base}/#/`);
    await say(
      { executors: { all: [status('gpu-box')] } },
      await runOf(beckon, page, work!, { executor: 'gpu-box', linkLost: 0 }),
    );
    await expect(card(page, 'SAM-1')).toContainText(/Back at \d\d:\d\d\. Nothing was missed/);
    await expect(card(page, 'SAM-1').locator('.pulse')).toHaveCount(1);
  },
);

test('an executor goes once its link is back and its agents have ended', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  const say = await whisper(page);
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.goto(`${beckon.base}/#/settings/executors`);
  await say({ executors: { all: [status('farm', { state: 'lost' })] } });
  const removed: unknown[] = [];
  await page.route('**/rpc/CheckExecutor', (route) => route.fulfill({ json: null }));
  await page.route('**/rpc/LeftOnExecutor', (route) =>
    route.fulfill({ json: { worktrees: 3, bytes: 4.1e9, keys: [] } }),
  );
  await page.route('**/rpc/RemoveExecutor', async (route) => {
    removed.push(route.request().postDataJSON());
    await route.fulfill({ json: null });
  });
  await page.getByRole('button', { name: 'More for farm' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const remove = page.getByRole('region', { name: 'Remove farm' });
  await page.keyboard.press('Enter');
  await expect(remove.getByRole('status')).toContainText('Removes farm once it can be reached');
  await expect(remove.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.goto(`${beckon.base}/#/`); // it waits wherever one is
  expect(removed).toEqual([]);
  await say({ executors: { all: [status('farm')] } });
  await expect.poll(() => removed).toEqual([['farm', false]]);

  await page.goto(`${beckon.base}/#/settings/executors`);
  await page.getByRole('button', { name: 'Remove farm…' }).click();
  await expect(remove).toContainText(
    'What this Beckon has there: 3 worktrees, and its program if no other Beckon uses it, 4.1 GB',
  );
  await expect(remove.getByRole('button', { name: 'Remove farm', exact: true })).toBeFocused();
  await judge(page, 'an executor that can be reached');
});

test('containers and clusters are added by forms of their own, which say what they cannot take', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await beckon.open(page, '#/settings/executors');
  const adding = async (kind: string) => {
    await page.getByRole('button', { name: 'Add an executor' }).click();
    await page.getByRole('menuitem', { name: kind }).click();
    return page.getByRole('dialog', { name: kind });
  };
  let sheet = await adding('Add containers');
  await expect(sheet.getByLabel('Image')).toBeFocused();
  await expect(sheet.getByLabel('Name'), 'none is needed').toHaveValue('Dev containers');
  await sheet.getByLabel('Image').fill('ghcr.io/acme/node:22');
  await expect(sheet.getByLabel('Name'), 'the name follows the image').toHaveValue('node');
  await sheet.getByRole('radio', { name: 'Docker' }).click();
  await sheet.getByLabel('Options').fill('--memory 4g; id');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toContainText('“--memory 4g; id” can’t be used here.');
  await expect(sheet.getByLabel('Options')).toBeFocused();
  await sheet.getByLabel('Options').fill('--memory 4g');
  await sheet.getByLabel('Variables').fill('ANTHROPIC_API_KEY, A-B');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toContainText('“A-B” can’t be used here.');
  await expect(sheet.getByLabel('Variables')).toBeFocused();
  await judge(page, 'a form for containers');
  await sheet.getByRole('radio', { name: 'Only Claude’s API' }).click();
  await sheet.getByLabel('Variables').fill('ANTHROPIC_API_KEY');
  await sheet.getByLabel('Value of ANTHROPIC_API_KEY').fill('sk-kept-7c1e');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
  await expect(row(page, 'node')).toContainText(
    'ghcr.io/acme/node:22, Docker on this computer, Network: only Claude’s API',
  );
  await expect(row(page, 'node')).toContainText(
    'Docker does not answer. Start it, and see whether docker info works in a terminal.',
    soon,
  );

  sheet = await adding('Add containers');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
  await expect(row(page, 'Dev containers')).toContainText(
    'The project’s dev container, Podman on this computer',
  );
  await expect(row(page, 'Dev containers')).toContainText(
    'Devcontainer was not found: install it with npm install -g @devcontainers/cli',
    soon,
  );

  sheet = await adding('Add a Kubernetes cluster');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toHaveText('Enter an image.');
  await expect(sheet.getByLabel('Image')).toBeFocused();
  await sheet.getByLabel('Image').fill('acme/agent');
  await sheet.getByLabel('Namespace').fill('agents');
  await sheet.getByLabel('Queue').fill('team a');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toContainText('“team a” can’t be used here.');
  await expect(sheet.getByLabel('Queue')).toBeFocused();
  await judge(page, 'a form for a cluster');
  await page.keyboard.press('Escape');

  sheet = await adding('Add a Slurm cluster');
  await sheet.getByLabel('Host').fill('-oProxyCommand=x');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toContainText('is no host');
  await judge(page, 'a form for Slurm');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'More for node' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit node' });
  await expect(edit.getByRole('radio', { name: 'Docker' })).toBeChecked();
  await expect(edit.getByLabel('Options')).toHaveValue('--memory 4g');
  await expect(edit.getByLabel('Variables')).toHaveValue('ANTHROPIC_API_KEY');
  const value = edit.getByLabel('Value of ANTHROPIC_API_KEY', { exact: true });
  await expect(value, 'no call returns it').toHaveValue('');
  await expect(value).toHaveAttribute('placeholder', 'Kept. Type to replace it');
  await edit.getByRole('button', { name: 'Forget the value of ANTHROPIC_API_KEY' }).click();
  await expect(value).toHaveAttribute('placeholder', /^That of this computer/);
  await expect(value).toBeFocused();
});

test('a card says what its start waits for where it executes', async ({ page, start }) => {
  const beckon = await start('match: Work\ntext I work.\nrun sleep 120');
  const say = await whisper(page);
  const [work] = await beckon.openWith(page, { title: 'Work far away' });
  await expect(card(page, 'SAM-1')).toContainText(/Running/, soon);
  const cluster = status(
    'team cluster',
    {},
    { kind: 'kubernetes', host: '', image: 'acme/agent', namespace: 'agents', queue: 'team-a' },
  );
  const waits = async (why: string, words: string) =>
    say(
      { executors: { all: [cluster] } },
      await runOf(beckon, page, work!, {
        executor: 'team cluster',
        phase: 'starting',
        waits: { for: why, words },
      }),
    );
  await waits('quota', 'team-a');
  await expect(card(page, 'SAM-1')).toContainText('Waits for quota in queue team-a');
  await judge(page, 'a card that waits for quota');
  await waits('room', 'Priority\u202e');
  await expect(card(page, 'SAM-1')).toContainText('Waits for room: Priority');
  await waits('image', 'acme/agent');
  await page.goto(`${beckon.base}/#/task/${work!.key}`);
  await expect(page.getByText('Fetches the image acme/agent')).toBeVisible();
  await waits('build', '');
  await expect(page.getByText('Builds the dev container')).toBeVisible();
  await waits('commands', '');
  await expect(page.getByText('Runs the dev container’s commands')).toBeVisible();
  await page.goto(`${beckon.base}/#/settings/executors`);
  await expect(row(page, 'team cluster')).toContainText(
    'acme/agent, namespace agents, queue team-a, through your kubectl',
  );
});
