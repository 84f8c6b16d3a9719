import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { newWindow } from '../support/window';

const one = 'ask Which one? | Left | Right\ntext You said: ${answer}\n';

test('a reload keeps the question and what was typed', async ({ page, start }) => {
  const beckon = await start(one);
  const [task] = await beckon.openWith(page, { title: 'Choose' });
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.keyboard.press('o');
  const words = page.getByLabel('Your own words').last();
  await expect(words).toBeFocused();
  await page.keyboard.type('Neither, because');
  await page.reload();
  await expect(words).toHaveValue('Neither, because');
  await words.press('End');
  await page.keyboard.type(' of that');
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText(
    'You said: Neither, because of that',
  );
});

test('a transcript is there again after a reload, and goes on', async ({ page, start }) => {
  const beckon = await start('text First words.\nask Which one? | Left | Right\ntext Last words.');
  const [task] = await beckon.openWith(page, { title: 'Talk' });
  await beckon.open(page, `#/task/${task!.key}`);
  const session = page.getByRole('log', { name: 'Session' });
  await expect(session).toContainText('First words.');
  await page.reload();
  await expect(session).toContainText('First words.');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(session).toContainText('Last words.');
  await expect(session.getByText('First words.')).toHaveCount(1);
});

test('an answer that is held back leaves with the page', async ({ page, start }) => {
  const beckon = await start(one);
  const [task] = await beckon.openWith(page, { title: 'Choose' });
  await beckon.takeBack(page, 4000);
  const other = await newWindow(page);
  await beckon.open(other, `#/task/${task!.key}`);
  await expect(other.getByRole('group', { name: /Which one/ })).toBeVisible();
  await other.waitForTimeout(newcomer);
  await other.keyboard.press('2');
  await expect(other.getByRole('button', { name: 'Undo' }).first()).toBeVisible();
  await other.close({ runBeforeUnload: true });
  await expect
    .poll(async () => (await beckon.questions(page, task!))[0]!.answer?.items[0]?.labels)
    .toEqual(['Right']);
});

const resumed = 'resume: yes\ntext I was told: ${message}';

test(
  'a page whose Beckon was started again says what to do, and continues on its own once that is done in another tab',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(one);
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    await beckon.kill();
    await expect(page.getByText('Beckon isn’t running. What you typed is kept')).toBeVisible();
    await beckon.serve();
    const signedOut = page.getByText(
      'Signed out. In this browser, open the link that beckon serve printed last',
    );
    await expect(signedOut).toBeVisible();

    const other = await newWindow(page);
    await beckon.open(other);
    await expect(signedOut).toBeHidden();
    const { projectId } = (await beckon.tasks(other))[0]!;
    await beckon.addTask(other, projectId, { title: 'Made since', status: 'backlog' });
    await expect(
      page.getByRole('article', { name: /Made since/ }),
      'frames come again',
    ).toBeVisible();
  },
);

test('no clock counts down while Beckon is away', async ({ page, start }) => {
  const beckon = await start(one);
  await beckon.openWith(page, { title: 'Choose', policy: 'proceed', waitMs: 180_000 });
  await beckon.open(page, '#/inbox');
  const timer = page.getByRole('group', { name: /Which one/ }).getByRole('timer');
  await expect(timer).toContainText(/carries on in \d:\d\d/);
  await beckon.kill();
  await expect(page.getByText('Beckon isn’t running')).toBeVisible();
  const stood = await timer.innerText();
  await page.waitForTimeout(3000);
  expect(await timer.innerText()).toBe(stood);
});

test(
  'after a crash the board is there again, and the run that was lost can be resumed',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(resumed, 'sleep 60s');
    const [task] = await beckon.openWith(
      page,
      { title: 'Choose' },
      { title: 'Later', status: 'backlog' },
    );
    // Before claude said which session it is, there is none to go on with.
    await expect
      .poll(
        async () =>
          (await beckon.call<{ session: string }[]>(page, 'Runs', task!.id))[0]?.session ?? '',
      )
      .not.toBe('');
    await beckon.kill();
    await beckon.serve();

    await beckon.open(page);
    await expect(page.getByRole('region', { name: /^Backlog, 1 task/ })).toContainText('Later');
    await expect(page.getByRole('article', { name: /SAM-1/ })).toContainText('Stopped');
    await beckon.open(page, `#/task/${task!.key}`);
    const lost = page.getByRole('alert', { name: /Beckon or this computer shut down/ });
    await expect(lost).toContainText('The whole session');
    await lost.getByRole('button', { name: /Resume/ }).click();
    await expect(page.getByRole('log', { name: 'Session' })).toContainText('I was told:');
  },
);

test('a question that a crash left open is still there, and its answer resumes the run', async ({
  page,
  start,
}) => {
  const beckon = await start(resumed, one);
  const [task] = await beckon.openWith(page, { title: 'Choose' });
  await beckon.open(page, `#/task/${task!.key}`);
  const question = page.getByRole('group', { name: /Which one/ });
  await expect(question).toBeVisible();
  await beckon.kill();
  await beckon.serve();

  await beckon.open(page, `#/task/${task!.key}`);
  await expect(question).toContainText('The run stopped. Answering resumes it');
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('2');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText(
    /I was told:[^]*Which one\?[^]*Right/,
  );
});

test('a run that failed is tried again from the start, once one saw what goes, and that is kept', async ({
  page,
  start,
}) => {
  const beckon = await start('write half.txt half\nerror 400 The request was refused');
  const [task] = await beckon.openWith(page, { title: 'Fail' });
  await beckon.open(page, `#/task/${task!.key}`);
  const stopped = page.getByRole('alert').filter({ hasText: 'What is kept' });
  await stopped.getByRole('button', { name: 'Retry from start…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Retry SAM-1 from the start?' });
  await expect(sheet).toContainText('half.txt');
  await expect(sheet).toContainText(/kept until .*\d{4}/);
  await judge(page, 'what starting over takes away');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  expect(beckon.repo.git('for-each-ref', 'refs/beckon/discarded'), 'nothing is done before').toBe(
    '',
  );

  await stopped.getByRole('button', { name: 'Retry from start…' }).click();
  await sheet.getByRole('button', { name: 'Retry from start' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('tab', { name: /Runs/ })).toContainText('2');
  const brief = page.getByRole('complementary', { name: 'Task' });
  await expect(brief).toContainText(/Earlier work\s*kept until/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await brief
    .getByRole('button', { name: 'Copy the command that brings it back as a branch' })
    .click();
  const [, ...args] = (await page.evaluate(() => navigator.clipboard.readText())).split(' ');
  beckon.repo.git(...args);
  expect(beckon.repo.git('show', 'sam-1-before:half.txt')).toBe('half');
});
