// What a page teaches: an empty place names the key that fills it, and the message
// field is named by what Enter does with what is in it.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { agents, openMission } from '../support/mission';
import { patience } from '../support/patience';

test('each empty place names one key, which does what it says', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  const lane = (name: string) =>
    page.getByRole('region', { name: new RegExp(`^${name}, 0 tasks`) });
  for (const [name, key] of [
    ['Queued', 'Q'],
    ['Running', /^Ctrl.J$/],
    ['Done', 'A'],
  ] as const) {
    await expect(lane(name).locator('.hint kbd'), name).toHaveText(key);
    await expect(lane(name).locator('.hint .sr'), `${name}, for those who hear it`).not.toBeEmpty();
  }
  await expect(lane('Review').locator('.hint')).toContainText('Enter opens the changes');
  await judge(page, 'hints of a board');

  await beckon.open(page, '#/mission');
  const main = page.getByRole('main');
  await expect(main.locator('.nobody kbd')).toHaveText('C');
  await beckon.open(page, '#/archive');
  await expect(main.locator('.nothing kbd')).toHaveText('A');
  await beckon.open(page, '#/task/SAM-1/questions');
  await expect(main.locator('.none kbd')).toHaveText(/^Ctrl.J$/);
  await beckon.open(page, '#/inbox');
  const watch = main.getByRole('link', { name: 'Watch them work' });
  await expect(watch.locator('kbd')).toHaveText(['G', 'M']);
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(/#\/mission$/);

  await beckon.open(page, '#/task/SAM-1/runs');
  await expect(main.locator('.none kbd')).toHaveText('R');
  await page.keyboard.press('r');
  await expect(main.getByRole('row', { name: /1/ }).first()).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/');
  await expect(
    page.getByRole('region', { name: /^Backlog, 0 tasks/ }).locator('.hint kbd'),
  ).toHaveText('N');

  await page.setViewportSize({ width: 480, height: 800 });
  for (const [language, begins] of [
    ['de', 'Schreib eine Zeile mit'],
    ['en', 'Write one line with'],
  ] as const) {
    await beckon.call(page, 'SaveSettings', { slots: 12, language, theme: '', singleKeys: true });
    const hints = page.locator('.lane .hint');
    await expect(hints.first()).toContainText(begins);
    for (const hint of await hints.all())
      await expect(
        hint.locator('kbd'),
        `${await hint.innerText()} is a whole sentence`,
      ).toBeVisible();
  }
});

const names = {
  en: {
    'SAM-1': 'Enter answers the question',
    'SAM-2': 'Enter denies the request',
    'SAM-3': 'Enter asks for changes',
    'SAM-4': 'Enter redirects Claude',
    'SAM-5': 'Enter resumes Claude',
    command: 'Enter queues it',
  },
  de: {
    'SAM-1': 'Enter beantwortet die Frage',
    'SAM-2': 'Enter lehnt die Anfrage ab',
    'SAM-3': 'Enter verlangt Änderungen',
    'SAM-4': 'Enter lenkt Claude um',
    'SAM-5': 'Enter setzt Claude fort',
    command: 'Enter reiht sie ein',
  },
};

test('the message field is named by what Enter does with it, in both languages', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(...agents);
  await openMission(
    beckon,
    page,
    ['Ask one', 'Permit two', 'Plan three', 'Work four', 'Fail five'],
    4,
  );
  for (const [language, { command, ...fields }] of Object.entries(names)) {
    await beckon.call(page, 'SaveSettings', { slots: 12, language, theme: '', singleKeys: true });
    for (const [key, does] of Object.entries(fields)) {
      await beckon.open(page, `#/task/${key}`);
      await expect(
        page.locator('.composer textarea'),
        `${key} in ${language}`,
      ).toHaveAccessibleName(new RegExp(`, ${does}$`));
    }
    await beckon.open(page, '#/task/SAM-1');
    const field = page.locator('.composer textarea');
    await field.fill('/compact');
    await expect(field, 'a command answers nothing').toHaveAccessibleName(
      new RegExp(`, ${command}$`),
    );
    await field.fill('');
  }
});
