import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';

const settled = 30_000;

/** An agent that says something to be found, then a great deal, then something else. */
const talker = `text I look for the kingfisher first.
run echo a kingfisher in the output
flood 1200 @lines
text The last words are about the heron.
-- lines --
${JSON.stringify({ type: 'assistant', message: { id: 'msg_0_000000000000', type: 'message', role: 'assistant', model: 'opus', content: [{ type: 'text', text: 'Entry 000000000000. Nothing of note, said at some length so that it fills a line or two of the page.' }] }, parent_tool_use_id: null, session_id: 's', uuid: '00000000-0000-4000-8000-000000000000' })}`;

async function session(
  page: Page,
  beckon: Beckon,
  title = 'Watch birds',
): Promise<{ log: Locator; task: Task }> {
  const [task] = await beckon.openWith(page, { title });
  await beckon.open(page, `#/task/${task!.key}`);
  return { log: page.getByRole('log', { name: 'Session' }), task: task! };
}

/** How many places the engine colours under a name. */
function coloured(page: Page, name: string): Promise<number> {
  return page.evaluate((of) => CSS.highlights.get(of)?.size ?? 0, name);
}

test('words far from the end are found, shown and marked, and the end is one key away', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(talker);
  const { log } = await session(page, beckon);
  await expect(log).toContainText('about the heron', { timeout: settled });
  await page.reload();
  await expect(log).toContainText('about the heron');
  expect(await log.innerText()).not.toContain('kingfisher');

  await log.focus();
  await page.keyboard.press('Control+f');
  const find = page.getByRole('search', { name: 'Find in the session' });
  await find.getByRole('textbox').fill('kingfisher');
  await expect(log, 'the last one before the end, opened').toContainText(
    'a kingfisher in the output',
    { timeout: settled },
  );
  await expect(find.getByRole('status')).toHaveText('2 of 2');
  await expect.poll(() => coloured(page, 'found-here')).toBe(2);
  await judge(page, 'find bar');
  await page.keyboard.press('Enter');
  await expect(find.getByRole('status')).toHaveText('1 of 2');
  await expect.poll(() => coloured(page, 'found-here')).toBe(1);
  await page.keyboard.press('Shift+Enter');
  await expect(find.getByRole('status')).toHaveText('2 of 2');

  await find.getByRole('textbox').fill('no such bird');
  await expect(find.getByRole('status')).toHaveText('Not found');
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();
  await expect(log).toBeFocused();
  expect(await coloured(page, 'found')).toBe(0);
  await page.keyboard.press('End');
  await expect(log).toContainText('about the heron');
});

test('what is worth going to is in a list, and the messages are a key apart', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(talker);
  const { log } = await session(page, beckon);
  await expect(log).toContainText('about the heron', { timeout: settled });
  await page.getByRole('button', { name: 'Resume' }).first().waitFor({ timeout: settled });
  await page.reload();
  await expect(log).toContainText('about the heron');
  await log.hover();
  await page.getByRole('button', { name: 'Go to' }).click();
  const menu = page.getByRole('menu', { name: 'Go to' });
  await expect(menu.getByRole('menuitem', { name: /You: .*Watch birds/ })).toBeVisible();
  await judge(page, 'list of places');
  await menu.getByRole('menuitem', { name: 'To the beginning' }).click();
  await expect(log).toContainText('Watch birds');
  await expect(log).toContainText('I look for the kingfisher first.');
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(log).toContainText('about the heron');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(log).toContainText('I look for the kingfisher first.');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(log).toContainText('about the heron');
});

test('a page that cannot be read says so, keeps what is shown, and comes when it is tried again', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(talker);
  const { log } = await session(page, beckon);
  await expect(log).toContainText('about the heron', { timeout: settled });
  await page.reload();
  await expect(log).toContainText('about the heron');
  await page.route('**/rpc/TranscriptAround', (route) => route.abort());
  await log.focus();
  await page.keyboard.press('Home');
  await expect(
    page.getByText('Couldn’t load more of this session. What is shown stays.'),
  ).toBeVisible();
  await expect(log).toContainText('about the heron');
  await page.unroute('**/rpc/TranscriptAround');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(log).toContainText('I look for the kingfisher first.');
});

test(
  'a word is found in any session, and Enter leads to where it stands',
  { tag: '@smoke' },
  async ({ page, start }) => {
    test.slow();
    const beckon = await start(talker);
    const { log, task } = await session(page, beckon);
    await expect(log).toContainText('about the heron', { timeout: settled });
    await beckon.open(page, '#/');
    await page.keyboard.press('Control+Shift+F');
    const sheet = page.getByRole('dialog', { name: 'Search all sessions' });
    await judge(page, 'search');
    await sheet.getByRole('combobox', { name: 'Search all sessions' }).fill('kingfi');
    const hits = sheet.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await expect(hits).toHaveCount(2, { timeout: settled });
    await expect(hits.last()).toContainText('I look for the kingfisher first.');
    await expect(sheet.getByRole('group', { name: new RegExp(task.key) })).toBeVisible();
    await judge(page, 'what was found');
    await choose(sheet.getByLabel('Kind'), 'Agent');
    await expect(hits).toHaveCount(1);
    await sheet.getByRole('combobox', { name: 'Search all sessions' }).press('Enter');
    await expect(page).toHaveURL(new RegExp(`#/task/${task.key}/session/.+/\\d+`));
    await expect(log).toContainText('I look for the kingfisher first.');

    await page.keyboard.press('Control+Shift+F');
    await expect(hits, 'what was found is still there').toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(log).toContainText('I look for the kingfisher first.');
  },
);
