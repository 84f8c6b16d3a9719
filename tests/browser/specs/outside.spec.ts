import type { Page } from '@playwright/test';
import { type Beckon, newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { type Asked, Terminal } from '../support/outside';

const which: Asked = {
  question: 'How should the client handle an early close?', header: 'Early close', multiSelect: false,
  options: [{ label: 'Retry once', description: 'Safe here' }, { label: 'Fail at once', description: 'What it does today' }],
};

/** A session in a terminal beside the sample project, and its pane. */
async function opened(page: Page, beckon: Beckon) {
  await beckon.openWith(page);
  const terminal = await Terminal.open(beckon, beckon.repo.dir, 'fix upload');
  terminal.says('The upload test fails once in forty runs.');
  await beckon.open(page, '#/mission');
  const pane = page.getByRole('region', { name: /^fix upload, started elsewhere/ });
  await expect(pane).toContainText('The upload test fails once in forty runs.');
  return { terminal, pane };
}

test('a session in a terminal is seen, and its question is answered here', async ({ page, start }) => {
  const beckon = await start('text Nothing.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    terminal.asks('toolu_1', which);
    const printed = terminal.hook(which);
    await expect(pane.getByRole('group', { name: /early close/ })).toBeVisible();
    await expect(pane).toHaveAccessibleName(/needs you/);
    await page.waitForTimeout(newcomer);
    await pane.focus();
    await page.keyboard.press('2');
    expect(JSON.parse(await printed).hookSpecificOutput.decision.updatedInput.answers).toEqual({ [which.question]: 'Fail at once' });
    terminal.hears('toolu_1', [which], { [which.question]: 'Fail at once' });
    await expect(pane.getByRole('group', { name: /early close/ })).toBeHidden();
    await expect(pane).toHaveAccessibleName(/running/);
  } finally {
    terminal.close();
  }
});

test('a question that only its terminal can answer is shown, takes no key, and goes with the answer there', async ({ page, start }) => {
  const beckon = await start('text Nothing.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    terminal.asks('toolu_1', which);
    const card = pane.getByRole('group', { name: /early close/ });
    await expect(card).toContainText('Only its terminal can answer this.');
    await page.waitForTimeout(newcomer);
    await pane.focus();
    await page.keyboard.press('1');
    await expect(card).toBeVisible();
    terminal.hears('toolu_1', [which], { [which.question]: 'Retry once' });
    await expect(card).toBeHidden();
  } finally {
    terminal.close();
  }
});

test('what the user does not want to see of other sessions is not shown', async ({ page, start }) => {
  const beckon = await start('text Nothing.');
  const { terminal, pane } = await opened(page, beckon);
  try {
    await beckon.open(page, '#/settings');
    const observe = page.getByRole('switch', { name: 'Show Claude sessions that run elsewhere' });
    await observe.click();
    await beckon.open(page, '#/mission');
    await expect(pane).toBeHidden();
    await beckon.open(page, '#/settings');
    await observe.click();
    await beckon.open(page, '#/mission');
    await expect(pane).toBeVisible();
  } finally {
    terminal.close();
  }
});
