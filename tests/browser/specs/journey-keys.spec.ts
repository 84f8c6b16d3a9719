// How many keys a person presses for what they do all day, besides the text that they type.
import type { Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { Keyboard } from '../support/keyboard';
import { patience } from '../support/patience';

const ask = (...items: object[]) => `ask ${JSON.stringify({ questions: items })}`;
const item = (question: string, options: string[], multiSelect = false) => ({
  question,
  header: question.slice(0, 12),
  multiSelect,
  options: options.map((label) => ({ label, description: '' })),
});
const schema = {
  type: 'object',
  required: ['bucket'],
  properties: { bucket: { type: 'string', title: 'Bucket name' } },
};

/** A question of each kind, by the title of the task whose agent asks it, with the keys that answer it. */
const kinds: {
  title: string;
  script: string;
  keys: (keyboard: Keyboard, page: Page) => Promise<void>;
}[] = [
  {
    title: 'Choice',
    script: 'ask Which way? | Left | Right',
    keys: (keyboard) => keyboard.press('1'),
  },
  {
    title: 'Many',
    script: ask(item('Which ones?', ['Red', 'Green', 'Blue'], true)),
    keys: (keyboard) => keyboard.press('1', '3', 'Enter'),
  },
  {
    title: 'Words',
    script: ask(item('What is it called?', [])),
    keys: async (keyboard, page) => {
      await keyboard.press('o');
      await page.keyboard.type('Kestrel');
      await page.waitForTimeout(newcomer);
      await keyboard.press('Enter');
    },
  },
  {
    title: 'Edit',
    script: 'permit Edit {"file_path":"README.md","old_string":"sample","new_string":"Sample"}',
    keys: (keyboard) => keyboard.press('1'),
  },
  {
    title: 'Plan',
    script: 'plan Read, then **write**',
    keys: (keyboard) => keyboard.press('1'),
  },
  {
    title: 'Form',
    script: `elicit "Where do they go?" ${JSON.stringify(schema)}`,
    keys: async (keyboard, page) => {
      await keyboard.press('o');
      await page.keyboard.type('backups');
      await page.waitForTimeout(newcomer);
      await keyboard.press('Enter');
    },
  },
  {
    title: 'Three',
    script: ask(item('One?', ['A', 'B']), item('Two?', ['A', 'B']), item('Three?', ['A', 'B'])),
    keys: async (keyboard, page) => {
      for (const _ of ['One?', 'Two?', 'Three?']) {
        await keyboard.press('1');
        await page.waitForTimeout(newcomer);
      }
      await keyboard.press('Enter');
    },
  },
  {
    title: 'Destroy',
    script: 'permit Bash {"command":"rm -rf build","description":"To begin clean"}',
    keys: (keyboard) => keyboard.press('1', '1'),
  },
];

test('eight questions of all kinds are answered one after the other, from the board on', async ({
  page,
  start,
}) => {
  const beckon = await start(
    ...kinds.map(({ title, script }) => `match: ${title}\n${script}\nsleep 120s`),
  );
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 8, language: '', theme: '', singleKeys: true });
  const tasks = await beckon.openWith(
    page,
    ...kinds.map(({ title }) => ({ title, policy: 'wait' as const })),
  );
  await expect(page.locator('.card.needs')).toHaveCount(kinds.length, {
    timeout: patience(30_000),
  });
  const keyboard = new Keyboard(page);
  const left = new Map(kinds.map((kind, i) => [tasks[i]!.key, kind]));
  /** Whose question hears keys: of the card with the focus, or the one that the Inbox shows. */
  const heard = page.locator(
    '.card.needs:focus, nav[aria-label="Questions"] [aria-current="true"]',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  while (left.size > 0) {
    await expect
      .poll(async () => left.has(/SAM-\d/.exec(await heard.first().innerText())?.[0] ?? ''))
      .toBe(true);
    const key = /SAM-\d/.exec(await heard.first().innerText())![0];
    await page.waitForTimeout(newcomer);
    await left.get(key)!.keys(keyboard, page);
    left.delete(key);
  }
  await expect(page).toHaveTitle('Beckon');
  expect(keyboard.keys.length, keyboard.keys.join(' ')).toBeLessThanOrEqual(16);
});

test('what is done all day takes few keys, from wherever one is', async ({ page, start }) => {
  const beckon = await start(
    'match: Slip\nask Which one? | Left | Right\nsleep 120s\nturn\ntext I heard: ${message}',
    'match: Long\ntext I begin.\nsleep 120s',
    'match: Quick\nwrite one.txt one\ntext Done.',
  );
  const tasks = await beckon.openWith(
    page,
    { title: 'Slip', policy: 'wait' },
    { title: 'Long walk' },
    { title: 'Quick work' },
  );
  const [slip, long, quick] = tasks.map(({ key }) => key);
  const card = (key: string) => page.getByRole('article', { name: new RegExp(`^${key},`) });
  await expect(page.getByRole('article', { name: new RegExp(`^${slip}, needs you`) })).toBeVisible({
    timeout: patience(30_000),
  });
  await expect(page.getByRole('article', { name: new RegExp(`^${quick}, Review`) })).toBeVisible({
    timeout: patience(30_000),
  });
  const keyboard = new Keyboard(page);
  const took = (what: string, most: number) => {
    const keys = keyboard.taken();
    expect(keys.length, `${what}: ${keys.join(' ')}`).toBeLessThanOrEqual(most);
  };
  await page.keyboard.press('Escape');

  await keyboard.press('g', 'm');
  await expect(page).toHaveURL(/#\/mission/);
  took('to Mission Control', 2);

  await keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('long wa');
  await expect(page.getByRole('option', { selected: true })).toContainText('Long walk');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/task/${long}`));
  took('a task is found', 2);

  await keyboard.press('g', 'b');
  await card(long!).focus();
  keyboard.taken();
  await keyboard.press('m');
  await page.keyboard.type('Look at the tests, too');
  await page.waitForTimeout(newcomer);
  await keyboard.press('Enter');
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('Look at the tests, too');
  took('a message to an agent at work', 2);

  await page.keyboard.press('Escape');
  await keyboard.press('ControlOrMeta+J');
  await expect(page.getByRole('group', { name: /Which one/ })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await keyboard.press('1');
  await expect(page.locator('.asked.just')).toContainText('You answered Left');
  took('an answer from another page', 2);

  await keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('region', { name: 'Change the answer' })).toBeVisible();
  await page.waitForTimeout(newcomer);
  await keyboard.press('2', 'Enter');
  await expect(page.locator('.asked.just')).toContainText('You answered Left, then Right');
  took('another answer', 3);

  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await card(quick!).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Merge into main/ })).toBeEnabled();
  await keyboard.press('m');
  await expect.poll(async () => (await beckon.tasks(page))[2]?.status).toBe('done');
  took('a merge', 2);
  await keyboard.press('ControlOrMeta+z');
  await expect.poll(async () => (await beckon.tasks(page))[2]?.status).toBe('review');
  took('the merge is taken back', 1);
});
