import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newcomer } from '../support/beckon';
import { expect } from '../support/fixture';
import { judge } from '../support/judge';
import { test, which } from '../support/outside';
import { settle } from '../support/settle';
import { hittable } from '../support/targets';

test('a session in a terminal is seen, and its question is answered here', async ({
  page,
  upload,
}) => {
  const { terminal, pane } = await upload();
  terminal.asks('toolu_1', which);
  const printed = terminal.hook(which);
  await expect(pane.getByRole('group', { name: /early close/ })).toContainText(
    'Answer here or in the terminal, the first wins',
  );
  await expect(pane).toHaveAccessibleName(/needs you/);
  await page.waitForTimeout(newcomer);
  await pane.focus();
  await page.keyboard.press('2');
  expect(JSON.parse(await printed).hookSpecificOutput.decision.updatedInput.answers).toEqual({
    [which.question]: 'Fail at once',
  });
  terminal.hears('toolu_1', [which], { [which.question]: 'Fail at once' });
  await expect(pane.getByRole('group', { name: /early close/ })).toBeHidden();
  await expect(pane).toHaveAccessibleName(/running/);
});

test('a session that waits for something its file does not have says where to look', async ({
  upload,
}) => {
  const { terminal, pane } = await upload();
  terminal.stands('waiting');
  await expect(pane).toContainText(
    'Waits for you there (terminal). Claude has not written down what for.',
  );
  await expect(pane).toHaveAccessibleName(/waiting/);
  terminal.asks('toolu_1', which);
  await expect(pane.getByRole('group', { name: /early close/ })).toBeVisible();
  await expect(pane).not.toContainText('has not written down');
});

test(
  'a question that only its terminal can answer is shown, takes no key, and goes with the answer there',
  { tag: '@smoke' },
  async ({ page, upload }) => {
    const { terminal, pane } = await upload();
    terminal.asks('toolu_1', which);
    const card = pane.getByRole('group', { name: /early close/ });
    await expect(card).toContainText('Only its terminal can answer this.');
    await expect(card).toContainText('What it does today');
    await page.waitForTimeout(newcomer);
    await pane.focus();
    await page.keyboard.press('1');
    await expect(card).toBeVisible();
    terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
    await expect(card).toBeHidden();
  },
);

test('what is answered in the terminal closes the card, and keeps what was typed in it', async ({
  page,
  upload,
}) => {
  const { beckon, terminal } = await upload();
  terminal.asks('toolu_1', which);
  const printed = terminal.hook(which);
  await beckon.open(page, '#/inbox');
  await expect(page.getByRole('navigation', { name: 'Questions' })).toContainText(
    /fix upload · terminal, /,
  );
  const card = page.getByRole('group', { name: /early close/ });
  await expect(card).toContainText('no clock');
  await card.getByRole('textbox', { name: 'Your own words' }).fill('Ask the server first');
  terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
  const left = page.getByRole('region', { name: 'Question' });
  await expect(left).toContainText('Answered in the terminal: Retry once');
  await expect(left).toContainText('What you wrote is kept');
  await expect(left).toContainText('Ask the server first');
  expect(await printed, 'what the hook prints').toBe('');
});

test('what was typed is there where the session asks again after Beckon died', async ({
  page,
  upload,
}) => {
  const { beckon, terminal } = await upload();
  terminal.asks('toolu_1', which);
  const printed = terminal.hook(which);
  await beckon.open(page, '#/inbox');
  const card = page.getByRole('group', { name: /early close/ });
  await card.getByRole('textbox', { name: 'Your own words' }).fill('Ask the server first');
  await expect
    .poll(async () => (await beckon.call<{ text: string }[]>(page, 'Drafts')).length, 'it is kept')
    .toBe(1);
  await beckon.kill();
  await printed;
  await page.evaluate(() => sessionStorage.clear()); // as in a new window
  await beckon.serve();
  await beckon.open(page, '#/inbox');
  await expect(card).toContainText('Only its terminal can answer this.');
  await expect(page.getByText('What you wrote is kept')).toBeVisible();
  await expect(page.getByText('Ask the server first')).toBeVisible();
});

test('words that were begun in a pane stay when the terminal was quicker', async ({
  page,
  upload,
}) => {
  const { terminal, pane } = await upload();
  terminal.asks('toolu_1', which);
  const printed = terminal.hook(which);
  await expect(pane).toContainText('the first wins');
  await page.waitForTimeout(newcomer);
  await pane.focus();
  await page.keyboard.press('o');
  await page.keyboard.type('Ask the server first');
  terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
  await expect(pane).toContainText('Answered in the terminal: Retry once');
  await expect(pane).toContainText('Ask the server first');
  await pane.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(pane).not.toContainText('Ask the server first');
  await printed;
});

test('what is declined, or dies, in the terminal says so', async ({ page, upload }) => {
  const { beckon, terminal } = await upload();
  const question = page.getByRole('region', { name: 'Question' });
  terminal.asks('toolu_1', which);
  await beckon.open(page, '#/inbox');
  await expect(question).toContainText('Only its terminal can answer this.');
  terminal.declines('toolu_1');
  await expect(question).toContainText('Declined in the terminal');
  terminal.asks('toolu_2', { ...which, question: 'And when it is late?' });
  await page.getByRole('link', { name: /And when it is late/ }).click();
  await expect(question).toContainText('Only its terminal can answer this.');
  terminal.close();
  await expect(question).toContainText('Its session has ended.');
});

test(
  'a command that can destroy work takes two presses, a plan and a change are read',
  { tag: '@smoke' },
  async ({ page, upload }) => {
    const { beckon, terminal } = await upload();
    const remove = { command: 'rm -rf build', description: 'Makes room' };
    terminal.calls('toolu_1', 'Bash', remove);
    const printed = terminal.hookOf('Bash', remove);
    await beckon.open(page, '#/inbox');
    const card = page.getByRole('group', { name: /wants to run a command/ });
    await expect(card).toContainText('rm -rf build');
    await expect(card).toContainText('This can destroy work. Press twice to allow.');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect(card.getByRole('button', { name: /Press again to allow/ })).toBeVisible();
    await page.keyboard.press('1');
    expect(JSON.parse(await printed).hookSpecificOutput.decision.behavior).toBe('allow');

    terminal.hears('toolu_1', [], {});
    terminal.calls('toolu_2', 'ExitPlanMode', {
      plan: '# Retry uploads\n\n1. Find the **early close**',
    });
    await page.getByRole('link', { name: /Retry uploads/ }).click();
    await expect(page.getByRole('region', { name: 'Question' }).getByRole('strong')).toContainText(
      'early close',
    );
    terminal.hears('toolu_2', [], {});
    terminal.calls('toolu_3', 'Edit', {
      file_path: join(beckon.repo.dir, 'README.md'),
      old_string: 'once',
      new_string: 'twice',
    });
    await page.getByRole('link', { name: /README/ }).click();
    await expect(page.getByRole('region', { name: 'Question' }).locator('.diff')).toContainText(
      'twice',
    );
  },
);

test('sessions hang under their project or stand by their folder, with what each does', async ({
  page,
  open,
  upload,
}) => {
  const { beckon } = await upload();
  const inside = join(beckon.repo.dir, 'src/deep');
  const away = join(beckon.home, 'src/ledger');
  mkdirSync(inside, { recursive: true });
  mkdirSync(away, { recursive: true });
  await open(beckon, inside, 'look deeper');
  const editor = await open(beckon, away, 'ledger import', 'claude-vscode');
  editor.says('Totals are rounded per line.');
  editor.delegates('toolu_1', 'compare the sums');
  await expect(page.getByRole('link', { name: /^sample/ })).toContainText(
    '2 sessions elsewhere in this project',
  );
  await page.getByRole('button', { name: '3 sessions elsewhere' }).click();
  const list = page.getByRole('dialog', { name: '3 sessions elsewhere' });
  await expect(list.getByRole('heading')).toHaveText([/^sample/, 'Elsewhere', '~/src/ledger']);
  const one = list.getByRole('button', { name: /ledger import/ });
  for (const fact of [
    'running',
    'VS Code',
    '2.1.197',
    'Totals are rounded per line.',
    '1 sub-agent: compare the sums',
    'Questions can be answered only there (VS Code).',
  ]) {
    await expect(one).toContainText(fact);
  }
  await list.getByRole('button', { name: /look deeper/ }).click();
  await expect(page.getByRole('region', { name: /^look deeper/ })).toBeFocused();
});

test('who cannot see sessions elsewhere can use them, and who can can hit what is pressed', async ({
  page,
  open,
  upload,
}) => {
  test.slow();
  const { beckon, terminal, pane } = await upload();
  const other = await open(beckon, beckon.repo.dir, 'look deeper');
  terminal.asks('toolu_1', which);
  other.asks('toolu_2', which);
  const printed = other.hook(which);
  await expect(pane.getByRole('group', { name: /early close/ })).toBeVisible();
  await expect(page.getByRole('region', { name: /^look deeper/ })).toContainText('the first wins');
  for (const [layout, width] of [
    [4, 1440],
    [9, 1440],
    [4, 960],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await beckon.call(page, 'SaveMission', { layout, panes: [], removed: [], maximised: '' });
    await settle(page);
    await judge(page, `sessions elsewhere, ${layout} panes, ${width} wide`);
    await hittable(page, `sessions elsewhere, ${layout} panes, ${width} wide`);
  }
  await page.getByRole('button', { name: '2 sessions elsewhere' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await judge(page, 'the list of sessions elsewhere');
  await hittable(page, 'the list of sessions elsewhere');
  await page.getByRole('dialog').getByRole('button', { name: 'Answer them here…' }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('PermissionRequest');
  await judge(page, 'the offer of the hook');
  await hittable(page, 'the offer of the hook');
  await page.keyboard.press('Escape');
  await beckon.open(page, '#/inbox');
  await judge(page, 'a question of a session elsewhere');
  await hittable(page, 'a question of a session elsewhere');
  other.close();
  await printed;
});

test('what a pane offers is pressed by keys, also by who comes from another pane', async ({
  page,
  open,
  upload,
}) => {
  const { beckon, terminal, pane } = await upload();
  await open(beckon, beckon.repo.dir, 'look deeper');
  const other = page.getByRole('region', { name: /^look deeper/ });
  terminal.asks('toolu_1', which);
  await expect(pane.getByRole('group', { name: /early close/ })).toBeVisible();
  await other.focus();
  const door = pane.getByRole('button', { name: 'Continue in Beckon' });
  await door.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /fix upload/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(door).toBeFocused();
});

test('at 200 %, with the longest name and in German, all that is to be pressed stays in sight', async ({
  page,
  open,
  upload,
}) => {
  await page.setViewportSize({ width: 720, height: 450 }); // what a window of 1440 by 900 shows then
  const { beckon, terminal, pane } = await upload();
  const seen = (scope: typeof pane, name: string | RegExp) =>
    expect(scope.getByRole('button', { name }), String(name)).toBeInViewport({ ratio: 1 });
  const name = `\u202eevil ${'very-long-name-'.repeat(30)}`;
  const long = await open(beckon, beckon.repo.dir, name);
  long.says(`${'x'.repeat(5_000_000)} שלום`);
  const other = page.getByRole('region', { name: /^evil very-long/ });
  // One pane has room at a time; the strip above changes it.
  const show = (name: string) => page.locator('.agents button', { hasText: name }).click();
  await show('evil');
  await expect(other).toContainText(
    'Read-only here. Questions can be answered only there (terminal).',
  );
  for (const one of ['Answer them here…', 'Continue in Beckon…']) await seen(other, one);
  await show('fix upload');
  for (const one of ['Answer them here…', 'Continue in Beckon…']) await seen(pane, one);
  terminal.asks('toolu_1', which);
  await expect(pane.getByRole('group', { name: /early close/ })).toBeVisible();
  await seen(pane, 'Continue in Beckon…');
  await pane.getByRole('button', { name: 'Answer them here…' }).press('Enter');
  const sheet = page.getByRole('dialog');
  await expect(sheet.locator('.diff')).toBeVisible();
  await seen(sheet, 'Install the hook');
  await page.keyboard.press('Escape');
  await show('evil');
  await other.getByRole('button', { name: 'Continue in Beckon…' }).press('Enter');
  await seen(sheet, 'Continue a copy');
  await page.keyboard.press('Escape');
  long.close();
  await expect(other).toHaveAccessibleName(/ended/);
  await page.getByRole('button', { name: 'Ended today' }).press('Enter');
  await seen(sheet, /^Continue in Beckon: evil/);
  await seen(sheet, 'Close');
  await page.keyboard.press('Escape');

  await beckon.call(page, 'SaveSettings', {
    slots: 3,
    language: 'de',
    theme: '',
    singleKeys: true,
  });
  await beckon.open(page, '#/settings/elsewhere');
  const places = page.getByRole('navigation', { name: 'Einstellungen' }).getByRole('link');
  await expect(places).toHaveText([
    'Allgemein',
    'Agenten',
    'Ausführungsorte',
    'Darstellung',
    'Benachrichtigungen',
    'Sitzungen anderswo',
    'Antworten aus der Ferne',
    'Privatsphäre',
    'Tastatur',
    'Über Beckon',
    'sample',
  ]);
  expect(
    await places.evaluateAll(
      (all) =>
        all.filter(
          (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight,
        ).length,
    ),
    'cut',
  ).toBe(0);
});
