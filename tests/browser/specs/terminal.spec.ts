// A real shell in a task's worktree: what is typed goes to it and nowhere else, and what it printed
// outlives the page.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { hittable } from '../support/targets';
import { patience } from '../support/patience';
import { saved } from '../support/settle';

const agent = ['write src/one.txt one', 'text Done.'].join('\n');
test.use({ env: { SHELL: '/bin/sh', ENV: '', PS1: '$ ' } });

const drawer = (page: Page): Locator => page.getByRole('region', { name: 'Terminal' });
const shown = (page: Page): Locator => drawer(page).locator('.xterm-rows');
const field = (page: Page): Locator => drawer(page).getByRole('textbox');

/** Opens the page of a task in Review, whose worktree is there. */
async function openTask(beckon: Beckon, page: Page): Promise<Task> {
  await beckon.openWith(page, { title: 'Count' });
  await expect
    .poll(async () => (await beckon.tasks(page))[0]!.status, { timeout: patience(20_000) })
    .toBe('review');
  await beckon.open(page, '#/task/SAM-1');
  await expect(page.locator('[role="log"]')).toBeVisible();
  return (await beckon.tasks(page))[0]!;
}

async function type(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

test('a shell in the worktree hears what is typed, alone, and is there after a reload', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  const task = await openTask(beckon, page);

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(field(page)).toBeFocused({ timeout: patience(10_000) });
  await expect(shown(page)).toContainText('$');
  await type(page, 'echo "in $(pwd -P) six=$((2*3))" \x20');
  await expect(shown(page)).toContainText(`six=6`);
  await expect(shown(page)).toContainText('/worktrees/');

  // Keys of the page: a new task, the board, the sheet of keys, the palette, the sidebar.
  await type(page, 'touch c-gb-e-made?');
  await expect.poll(() => existsSync(join(task.worktree, 'c-gb-e-made?'))).toBe(true);
  for (const key of ['Control+k', 'Control+b', 'Control+z']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/#\/task\/SAM-1$/);
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+c');

  // Colours and links of any address are drawn, and only drawn.
  await type(
    page,
    "printf '\\033[38;2;200;30;30mred\\033[0m \\033]8;;javascript:alert(1)\\007link\\033]8;;\\007 \\033]52;c;aGFjaw==\\007 \\033[c'; echo end-$((1+1))",
  );
  await expect(shown(page)).toContainText('end-2');
  const link = (await shown(page).getByText('link', { exact: true }).last().boundingBox())!;
  await page.mouse.click(link.x + link.width / 2, link.y + link.height / 2);
  const red = shown(page).getByText('red', { exact: true }).last();
  await expect(red).toHaveCSS('color', /rgb\((?!0, 0, 0)/);
  const answered = shown(page).getByText('?1;2c');
  await expect(answered).toHaveCount(1);
  await page.keyboard.press('Control+c');

  // A flood is drawn as fast as it can be, and stops when it is stopped.
  await type(page, 'yes flooded');
  await expect(shown(page)).toContainText('floodedflooded');
  await page.keyboard.press('Control+c');
  await type(page, 'echo calm-$((3+4))');
  await expect(shown(page)).toContainText('calm-7', { timeout: patience(5_000) });
  await type(page, 'yes again');
  await expect(shown(page)).toContainText('againagain');
  await page.reload();
  await expect(shown(page)).toContainText('againagain', { timeout: patience(10_000) });
  await drawer(page).locator('.xterm-screen').click();
  await page.keyboard.press('Control+c');
  await type(page, "clear; echo calm-$((4+4)); printf '\\033[c'");
  await expect(shown(page)).toContainText('calm-8', { timeout: patience(5_000) });

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await judge(page, `the terminal, ${colorScheme}`);
    await hittable(page, `the terminal, ${colorScheme}`);
  }

  await expect(answered).toHaveCount(1);
  await page.reload();
  await expect(shown(page)).toContainText('calm-8', { timeout: patience(10_000) });
  await expect(answered, 'what is shown again answers nothing').toHaveCount(1);
  await expect(
    field(page),
    'a page that is loaded again gives no shell the keys',
  ).not.toBeFocused();
  await drawer(page).locator('.xterm-screen').click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+c');
  await type(page, 'echo again-$((1+2))');
  await expect(shown(page)).toContainText('again-3');

  // What is pasted is text: it cannot end the brackets that say so.
  await type(page, "printf '\\033[?2004h'; echo ready-$((5+4)); cat -v");
  await expect(shown(page)).toContainText('ready-9');
  await field(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'one\x1b[201~two\x03');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await page.keyboard.press('Enter');
  await expect(shown(page)).toContainText('^[[200~one[201~two^[[201~');
  await page.keyboard.press('Control+c');

  // Shift Esc gives the keys back, and once more closes the drawer; the shell outlives it.
  await page.keyboard.press('Shift+Escape');
  await expect(drawer(page).getByRole('tab', { selected: true })).toBeFocused();
  await page.keyboard.press('Shift+Escape');
  await expect(drawer(page)).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Terminal' }).click();
  await expect(shown(page)).toContainText('again-3');
});

test('a shell in which something runs is closed after a question, and its height is kept', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await openTask(beckon, page);
  await page.getByRole('button', { name: 'Terminal' }).click();
  await expect(shown(page)).toContainText('$', { timeout: patience(10_000) });

  const edge = drawer(page).getByRole('separator', { name: 'Height of the terminal' });
  await edge.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(edge).toHaveAttribute('aria-valuenow', '50');
  const box = (await drawer(page).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y - 60, { steps: 4 });
  await page.mouse.up();
  const height = Number(await edge.getAttribute('aria-valuenow'));
  expect(height).toBeGreaterThan(52);
  await page.reload();
  await expect(edge).toHaveAttribute('aria-valuenow', String(height));

  await field(page).focus();
  await type(page, 'stty size; echo up; sleep 1000');
  await expect(shown(page)).toContainText('up');
  await drawer(page).getByRole('button', { name: 'Another shell' }).click();
  await expect(drawer(page).getByRole('tab', { name: 'shell 2' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(field(page)).toBeFocused();
  await type(page, "printf '\\033[c'");
  await expect(shown(page)).toContainText('?1;2c');
  await drawer(page).getByRole('tab', { name: 'shell', exact: true }).click();
  await expect(shown(page)).toContainText('up');
  await drawer(page).getByRole('tab', { name: 'shell 2' }).click();
  await expect(shown(page)).toContainText('?1;2c');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+c');
  await type(page, 'echo told-$((1+1))');
  await expect(shown(page)).toContainText('told-2');
  await expect(shown(page).getByText('?1;2c'), 'it is answered once').toHaveCount(1);
  await type(page, 'exit 4');
  await expect(drawer(page)).toContainText('The shell ended with exit code 4.');
  await drawer(page).getByRole('button', { name: 'Close shell 2' }).click();
  await expect(drawer(page).getByRole('tab')).toHaveCount(1);

  await drawer(page).getByRole('button', { name: 'Close shell', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Close shell with what runs in it?' });
  await judge(page, 'a shell that is closed with what runs in it');
  await question.getByRole('button', { name: 'End and close' }).click();
  await expect(drawer(page)).toHaveCount(0);
});

test('what the dev command prints stands beside the shells, and it is started and stopped there', async ({
  page,
  start,
}) => {
  const beckon = await start(agent);
  await openTask(beckon, page);
  await beckon.open(page, '#/settings/SAM');
  const command = page.getByRole('textbox', { name: 'Dev command' });
  await saved(page, async () => {
    await command.fill('echo "serving $BECKON_TASK"; sleep 1000');
    await command.blur();
  });
  await beckon.open(page, '#/task/SAM-1');
  await page.getByRole('button', { name: 'Terminal' }).click();
  await expect(shown(page)).toContainText('$', { timeout: patience(10_000) });
  await drawer(page).getByRole('tab', { name: 'Dev server' }).click();
  await drawer(page).getByRole('button', { name: 'Run Dev server' }).click();
  await expect(drawer(page).getByRole('region', { name: 'Output of Dev server' })).toContainText(
    'serving SAM-1',
  );
  await judge(page, 'the dev command in the terminal');
  await drawer(page).getByRole('button', { name: 'Stop Dev server' }).click();
  await expect(drawer(page)).toContainText('stopped');
});
