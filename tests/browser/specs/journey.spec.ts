import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { Keyboard } from '../support/keyboard';
import { patience } from '../support/patience';

/** As many keys a whole piece of work may take, besides its words. */
const mostKeys = 40;

test(
  'from an empty start to merged work without the mouse, in few keys',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(
      'ask Who is greeted? | The world | One person\nwrite who.txt ${answer}\ntext Done, for ${answer}.',
    );
    const keyboard = new Keyboard(page);
    await beckon.open(page);
    await expect(page.getByRole('button', { name: 'Add a project' }).first()).toBeVisible();
    await page.evaluate(() => addEventListener('pointerdown', () => (document.title = 'a mouse')));

    await expect(page.getByRole('button', { name: 'Add a project' }).first()).toBeFocused();
    await keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Add a project' });
    await expect(sheet).toBeVisible();
    await page.keyboard.type(beckon.repo.dir);
    await expect(sheet).toContainText('Git repository');
    await keyboard.tabTo(sheet.getByLabel('Trust this project'));
    await keyboard.press('Space', 'Enter');
    await expect(sheet).toBeHidden();

    await expect(page.getByLabel('Title of the new task')).toBeFocused();
    await page.keyboard.type('Greet somebody');
    await keyboard.press('ControlOrMeta+Enter'); // queued at once
    const card = page.getByRole('article', { name: /Greet somebody/ });
    await expect(card).toBeVisible();

    await expect(page).toHaveTitle('(1) Beckon', { timeout: patience(30_000) });
    expect(
      keyboard.keys.length,
      `to the first agent: ${keyboard.keys.join(' ')}`,
    ).toBeLessThanOrEqual(9);
    await keyboard.press('ControlOrMeta+J');
    await expect(page.getByRole('group', { name: /Who is greeted/ })).toBeVisible();
    await page.waitForTimeout(newcomer);
    await keyboard.press('1');

    await expect
      .poll(async () => (await beckon.tasks(page))[0]?.status, { timeout: patience(30_000) })
      .toBe('review');
    await keyboard.press('g', 'b');
    await expect(card).toBeVisible();
    await keyboard.press('j');
    await expect(card).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^(Merge|Squash|Rebase)/ })).toBeEnabled();
    await keyboard.press('m');
    await expect.poll(async () => (await beckon.tasks(page))[0]?.status).toBe('done');
    expect(keyboard.keys.length, keyboard.keys.join(' ')).toBeLessThanOrEqual(mostKeys);
    await expect(page).toHaveTitle('Beckon');
  },
);
