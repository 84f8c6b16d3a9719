import type { Locator, Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';

const agent = `
text I look around first.
run sleep 3
edit src/greet.ts hello hallo
ask_user {"questions":[{"question":"Who is greeted?","header":"Audience","options":[{"label":"The world","description":"Everybody at once"},{"label":"One person","description":"By name"}]}]}
write src/who.ts \${answer}
text Done, for \${answer}.
`;

test(
  'a task goes from a folder on the disk to a merged commit with the mouse alone',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(agent);
    await beckon.open(page);
    await addProject(page, beckon.repo.dir);
    await newTask(page, 'Greet somebody');

    await page
      .getByRole('region', { name: 'Messages' })
      .getByRole('button', { name: 'Close' })
      .click(); // the toast, which lies over no card
    const card = page.getByRole('article', { name: /SAM-1/ });
    await dragTo(page, card, page.getByRole('region', { name: /^Running/ }));
    await expect(page.getByRole('region', { name: /^Running, 1 task/ })).toContainText(
      'Greet somebody',
    );
    await expect(card.locator('.act')).toHaveText(/Running sleep 3/);
    await expect(card).toContainText('Claude asks');

    await card.getByRole('link', { name: 'Greet somebody' }).click();
    const question = page.getByRole('group', { name: /Who is greeted/ });
    await expect(question).toContainText('Audience');
    await expect(question.getByRole('radio')).toHaveCount(2);
    await expect(question).toContainText('By name');
    await expect(question.getByRole('timer')).toContainText(/carries on in \d:\d\d/);
    await expect(question.getByRole('button', { name: /Other/ })).toBeVisible();
    await question.getByRole('radio', { name: /One person/ }).click();
    await page.waitForTimeout(newcomer); // for which a card that has just come is deaf
    await question.getByRole('button', { name: /Send answer/ }).click();

    const session = page.getByRole('log', { name: 'Session' });
    await expect(session).toContainText('Done, for');
    await expect(session).toContainText('You answered One person');
    await page.getByRole('tab', { name: /Runs/ }).click();
    await expect(page.getByRole('row', { name: /Run 1|Succeeded/ })).toBeVisible();
    await page.getByRole('link', { name: 'Back to the board' }).click();
    await expect(page.getByRole('region', { name: /^Review, 1 task/ })).toContainText(
      'Greet somebody',
    );
    await expect(card).toContainText('2 files');
    await expect(card).toContainText(/\+\d/);
    await expect(card).toContainText(/−\d/);
    await card.click();
    await page.getByRole('tab', { name: /Changes/ }).click();
    await expect(page.getByRole('region', { name: 'Changes' })).toContainText('hallo');
    await page.getByRole('button', { name: /Merge into main/ }).click();
    await expect(page.getByRole('button', { name: /Merge into main/ })).toBeHidden();
    await page.getByRole('link', { name: 'Back to the board' }).click();
    await expect(page.getByRole('region', { name: /^Done, 1 task/ })).toContainText(
      'Greet somebody',
    );
    expect(beckon.repo.git('log', '--format=%s', 'main')).toContain('Greet somebody');
    expect(beckon.repo.git('show', 'main:src/who.ts')).toBe('One person');
  },
);

/** Adds the folder as the first project. */
async function addProject(page: Page, dir: string) {
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText('Claude Code');
  await page.getByRole('button', { name: 'Add a project' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a project' });
  await sheet.getByLabel('Folder').fill(dir);
  const found = sheet.getByRole('list', { name: 'What Beckon found' });
  await expect(found).toContainText('Git repository');
  await expect(found.getByLabel('Base branch')).toHaveText('main');
  await found.getByLabel('Trust this project').check();
  await found.getByLabel('Key').fill('SAM');
  await sheet.getByRole('button', { name: 'Add project' }).click();
  await expect(sheet).toBeHidden();
}

async function newTask(page: Page, title: string) {
  await page
    .getByRole('button', { name: /^New task/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: /New task/ });
  await sheet.getByLabel('Title').fill(title);
  await sheet.getByLabel('Brief').fill('In a *friendly* way.');
  await sheet.getByRole('button', { name: /Save to backlog/ }).click();
  await expect(page.getByRole('region', { name: /^Backlog, 1 task/ })).toContainText(title);
}

/** Moves a card as a hand does: down, over in steps, and up. */
async function dragTo(page: Page, card: Locator, lane: Locator) {
  const from = (await card.boundingBox())!;
  const to = (await lane.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + 26, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + 130, { steps: 25 });
  await page.mouse.up();
}
