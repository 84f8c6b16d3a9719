import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect } from '../support/fixture';
import { judge } from '../support/judge';
import { test } from '../support/outside';
import { hittable } from '../support/targets';

/** Claude's settings of the user. */
function settingsOf(beckon: Beckon): string {
  mkdirSync(join(beckon.home, '.claude'), { recursive: true });
  return join(beckon.home, '.claude/settings.json');
}

const hookOf = (page: Page, root = '~/.claude') =>
  page.getByRole('group', { name: `The hook in ${root}/settings.json`, exact: true });

test(
  'the hook is offered with its exact change, and written after the press that confirms',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Nothing.');
    const file = settingsOf(beckon);
    const before = '{\n  "model": "opus"\n}\n';
    writeFileSync(file, before);
    await beckon.openWith(page);
    await beckon.open(page, '#/mission');
    const offer = page.getByRole('region', { name: 'Sessions you start elsewhere' });
    await expect(offer.locator('.diff')).toContainText('"timeout": 86400');
    expect(readFileSync(file, 'utf8'), 'before the press').toBe(before);
    await offer.getByRole('button', { name: 'Install the hook' }).press('Enter');
    await expect(page.getByText(/^Installed the hook\./)).toBeVisible();
    await expect(offer).toBeHidden();
    const hook = JSON.parse(readFileSync(file, 'utf8')).hooks.PermissionRequest[0].hooks[0];
    expect(hook).toEqual({
      type: 'command',
      command: expect.stringMatching(/^'.*\/beckon' hook -data '.*'$/),
      timeout: 86400,
    });
    const copies = readdirSync(join(beckon.home, '.claude')).filter((name) =>
      name.endsWith('.bak'),
    );
    expect(copies.map((name) => readFileSync(join(beckon.home, '.claude', name), 'utf8'))).toEqual([
      before,
    ]);

    await beckon.open(page, '#/settings/elsewhere');
    await expect(hookOf(page)).toContainText(/Installed in ~\/\.claude\/settings\.json, since \d/);
    await hookOf(page).getByRole('button', { name: 'Remove…' }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Remove the hook?' });
    await expect(sheet.locator('.diff')).toContainText('PermissionRequest');
    await page.keyboard.press('Escape');
    await expect(hookOf(page), 'closing it changes nothing').toContainText('Installed in');
    await hookOf(page).getByRole('button', { name: 'Remove…' }).press('Enter');
    await sheet.getByRole('button', { name: 'Remove the hook' }).press('Enter');
    await expect(hookOf(page)).toContainText('Not installed');
    expect(readFileSync(file, 'utf8'), 'removed').toBe(before);
  },
);

test('settings that were changed since they were shown are shown again, and not written', async ({
  page,
  start,
}) => {
  const beckon = await start('text Nothing.');
  const file = settingsOf(beckon);
  writeFileSync(file, '{}\n');
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/elsewhere');
  await hookOf(page).getByRole('button', { name: 'Install…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Answer sessions here' });
  await expect(sheet.locator('.diff')).toBeVisible();
  const since = '{\n  "model": "haiku"\n}\n';
  writeFileSync(file, since);
  await sheet.getByRole('button', { name: 'Install the hook' }).click();
  await expect(sheet.getByRole('alert')).toContainText('nothing was written');
  await expect(sheet.locator('.diff')).toContainText('haiku');
  expect(readFileSync(file, 'utf8')).toBe(since);
  await sheet.getByRole('button', { name: 'Install the hook' }).click();
  await expect(sheet).toBeHidden();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    model: 'haiku',
    hooks: { PermissionRequest: [{}] },
  });
});

test('a settings file that is left alone says why, and what to add by hand', async ({
  page,
  context,
  start,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const beckon = await start('text Nothing.');
  const file = settingsOf(beckon);
  const mine = '{\n  // mine\n  "model": "opus"\n}\n';
  writeFileSync(file, mine);
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/elsewhere');
  await hookOf(page).getByRole('button', { name: 'Install…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Answer sessions here' });
  await expect(sheet.getByRole('alert')).toContainText(
    '~/.claude/settings.json was left alone. It has comments',
  );
  await expect(sheet.getByRole('button', { name: 'Install the hook' })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Copy' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).not.toBe('');
  expect(JSON.parse(await copied()).hooks.PermissionRequest[0].matcher).toBe('*');
  expect(readFileSync(file, 'utf8')).toBe(mine);
});

test('who only wants to see sessions is not offered the hook again', async ({ page, start }) => {
  const beckon = await start('text Nothing.');
  await beckon.openWith(page);
  await beckon.open(page, '#/mission');
  const offer = page.getByRole('region', { name: 'Sessions you start elsewhere' });
  await offer.getByRole('button', { name: 'Only show them' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No agents running' })).toBeVisible();
  await expect(offer).toBeHidden();
  expect(existsSync(join(beckon.home, '.claude/settings.json')), 'nothing is written').toBe(false);
});

test(
  'the first session elsewhere is introduced once, with the switch',
  { tag: '@smoke' },
  async ({ page, start, open }) => {
    const beckon = await start('text Nothing.');
    await beckon.openWith(page);
    await open(beckon, beckon.repo.dir, 'fix upload');
    const met = page.getByText(
      'Beckon shows Claude sessions that run elsewhere on this machine; it only reads.',
    );
    await expect(met).toBeVisible();
    await expect(
      page.getByRole('switch', { name: 'Show Claude sessions that run elsewhere' }),
    ).toBeChecked();
    await page.getByRole('button', { name: 'Got it' }).press('Enter');
    await expect(met).toBeHidden();
    await beckon.open(page, '#/mission');
    await expect(page.getByRole('region', { name: /^fix upload/ })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('region', { name: /^fix upload/ })).toBeVisible();
    await expect(met).toBeHidden();
  },
);

test('what the user does not want to see of other sessions is not shown', async ({
  page,
  start,
  open,
}) => {
  const beckon = await start('text Nothing.');
  await beckon.openWith(page);
  await open(beckon, beckon.repo.dir, 'fix upload');
  const pane = page.getByRole('region', { name: /^fix upload/ });
  const observe = page
    .locator('.set-in')
    .getByRole('switch', { name: 'Show Claude sessions that run elsewhere' });
  await beckon.open(page, '#/mission');
  await expect(pane).toBeVisible();
  await beckon.open(page, '#/settings/elsewhere');
  await observe.click();
  await beckon.open(page, '#/mission');
  await expect(pane).toBeHidden();
  await beckon.open(page, '#/settings/elsewhere');
  await observe.click();
  await beckon.open(page, '#/mission');
  await expect(pane).toBeVisible();
});

test('a further folder is read once it is named, and a bad one is refused with its words kept', async ({
  page,
  start,
  open,
}) => {
  const beckon = await start('text Nothing.');
  await beckon.openWith(page);
  const work = join(beckon.home, '.claude-work');
  await open(beckon, beckon.repo.dir, 'from work');
  // Its files lie in a folder that nothing names.
  mkdirSync(work);
  renameSync(join(beckon.home, '.claude/sessions'), join(work, 'sessions'));
  await beckon.open(page, '#/settings/elsewhere');
  const field = page.getByRole('textbox', { name: 'Another folder of Claude’s' });
  const refused = page.locator('#root-refused');
  for (const [typed, why] of [
    ['.claude-work', 'Give the whole path'],
    ['~/.claude-gone', 'There is no folder'],
    [`${beckon.repo.dir}/README.md`, 'is not a folder'],
    ['~/.claude', 'is read already'],
  ] as const) {
    await field.fill(typed);
    await field.press('Enter');
    await expect(refused).toContainText(why);
    await expect(field, 'what was typed').toHaveValue(typed);
  }
  await field.fill('~/.claude-work');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove ~/.claude-work' })).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(hookOf(page, '~/.claude-work')).toContainText('Not installed');
  await beckon.open(page, '#/mission');
  await expect(page.getByRole('region', { name: /^from work/ })).toBeVisible();
  await beckon.open(page, '#/settings/elsewhere');
  await page.getByRole('button', { name: 'Remove ~/.claude-work' }).press('Enter');
  await expect(hookOf(page, '~/.claude-work')).toBeHidden();
  await beckon.open(page, '#/mission');
  await expect(page.getByRole('region', { name: /^from work/ })).toBeHidden();
});

test('a folder that cannot be watched says how often it is looked at', async ({ page, start }) => {
  const beckon = await start('text Nothing.');
  await beckon.openWith(page);
  await page.route('**/rpc/About', async (route) => {
    const reply = await route.fetch();
    const about = await reply.json();
    await route.fulfill({
      response: reply,
      json: { ...about, polled: [join(beckon.home, '.claude/sessions')] },
    });
  });
  await beckon.open(page, '#/settings/about');
  await page.reload();
  await expect(
    page.getByText(
      'Changes in ~/.claude/sessions are not reported, so Beckon looks there every 2 s.',
    ),
  ).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test(
  'a standing answer holds for sessions elsewhere only once the person says so',
  { tag: '@smoke' },
  async ({ page, start, open }) => {
    const beckon = await start('ask Which one? | Left | Right\ntext Nothing.');
    const [task] = await beckon.openWith(page, { title: 'Draw', policy: 'wait' });
    await expect.poll(async () => (await beckon.questions(page, task!)).length).toBe(1);
    const [question] = await beckon.questions(page, task!);
    await beckon.call(page, 'AnswerQuestion', question!.id, {
      items: [{ labels: ['Right'], other: '' }],
      verdict: '',
      text: '',
      standing: true,
      by: '',
      at: 0,
    });
    const asked = {
      question: 'Which one?',
      header: 'One',
      multiSelect: false,
      options: [
        { label: 'Left', description: '' },
        { label: 'Right', description: '' },
      ],
    };
    const terminal = await open(beckon, beckon.repo.dir, 'draw there');
    terminal.asks('toolu_1', asked);
    const first = terminal.hook(asked);
    await beckon.open(page, '#/mission');
    const pane = page.getByRole('region', { name: /^draw there/ });
    await expect(pane).toContainText('the first wins');
    terminal.hears('toolu_1', [asked], { [asked.question]: 'Left' });
    expect(await first, 'what is off decides nothing').toBe('');

    await beckon.open(page, '#/settings/SAM');
    await page
      .getByRole('checkbox', { name: 'Also answer “Which one?” in sessions elsewhere' })
      .press('Space');
    await expect
      .poll(async () => beckon.call<{ elsewhere: boolean }[]>(page, 'Rules'))
      .toMatchObject([{ elsewhere: true }]);
    terminal.asks('toolu_2', asked);
    expect(
      JSON.parse(await terminal.hook(asked)).hookSpecificOutput.decision.updatedInput.answers,
    ).toEqual({ [asked.question]: 'Right' });
    terminal.hears('toolu_2', [asked], { [asked.question]: 'Right' });
    // The hook has its answer before the use is counted, and the page reads the count once.
    await expect
      .poll(async () => beckon.call<{ used: number }[]>(page, 'Rules'))
      .toMatchObject([{ used: 1 }]);
    await beckon.open(page, '#/settings/SAM');
    await page.reload();
    await expect(page.getByText('Answered 1 time')).toBeVisible();
  },
);

test('who cannot see what is offered for sessions elsewhere can use it', async ({
  page,
  start,
  open,
}) => {
  test.slow();
  const beckon = await start('text Nothing.');
  writeFileSync(settingsOf(beckon), '{\n  // mine\n  "model": "opus"\n}\n');
  await beckon.openWith(page);
  await page.setViewportSize({ width: 960, height: 640 });
  await beckon.open(page, '#/mission');
  const offer = page.getByRole('region', { name: 'Sessions you start elsewhere' });
  await expect(offer.getByRole('alert')).toContainText('was left alone');
  await expect(
    offer.getByRole('switch', { name: 'Show Claude sessions that run elsewhere' }),
  ).toHaveAccessibleDescription(/^Reads sessions and projects in ~\/\.claude/);
  await judge(page, 'the offer of the hook, refused');
  await hittable(page, 'the offer of the hook, refused');
  await page.getByRole('button', { name: '0 sessions elsewhere' }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('No Claude session runs elsewhere');
  await judge(page, 'an empty list of sessions elsewhere');
  await page.keyboard.press('Escape');

  const terminal = await open(beckon, beckon.repo.dir, 'fix upload');
  terminal.says('The upload test fails once in forty runs.');
  await expect(page.getByText('it only reads.')).toBeVisible();
  await page
    .getByRole('region', { name: /^fix upload/ })
    .getByRole('button', { name: 'Continue in Beckon…' })
    .press('Enter');
  await expect(page.getByRole('dialog', { name: 'Continue “fix upload” in Beckon' })).toBeVisible();
  await judge(page, 'how a session is continued, below what is said of the first one');
  await hittable(page, 'how a session is continued');
  await page.keyboard.press('Escape');
  terminal.close();
  await expect(page.getByRole('region', { name: /^fix upload/ })).toHaveAccessibleName(/ended/);
  await page.getByRole('button', { name: 'Ended today' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Continue in Beckon: fix upload' })).toBeVisible();
  await judge(page, 'the sessions that ended');
  await hittable(page, 'the sessions that ended');
  await page.keyboard.press('Escape');

  await beckon.open(page, '#/settings/elsewhere');
  await expect(
    page.getByRole('switch', { name: 'In the tray and notifications' }),
  ).toHaveAccessibleDescription(/The Inbox always has them/);
  await judge(page, 'the settings of sessions elsewhere');
  await hittable(page, 'the settings of sessions elsewhere');
});

test('hooks that the settings switch off are said to be off, and not as if all were well', async ({
  page,
  start,
}) => {
  const beckon = await start('text Nothing.');
  writeFileSync(settingsOf(beckon), '{\n  "disableAllHooks": true\n}\n');
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/elsewhere');
  const wrong = hookOf(page).getByText('Hooks are switched off by ~/.claude/settings.json');
  await expect(wrong).toBeVisible();
  const colour = (of: typeof wrong) => of.evaluate((one) => getComputedStyle(one).color);
  expect(await colour(wrong)).not.toBe(await colour(hookOf(page).getByText('Not installed')));
});
