// Answering away from the desk: the phone's page, what is set for it, and what the
// task says of it afterwards.
import { hostname } from 'node:os';
import { mergeTests, type Page } from '@playwright/test';
import { allowPhones, expect, iphone, none, pair, test as phones } from '../support/phone';
import { test as chats, token } from '../support/telegram';
import { agents, kestrel, play } from './stage';
import { take } from './take';

const test = mergeTests(phones, chats);
test.use({ repo: kestrel });

/** Has a page say another name than that of the machine that took the picture. */
async function rename(page: Page): Promise<void> {
  await page.evaluate((name) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) walk.currentNode.textContent = walk.currentNode.textContent!.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), 'studio-pc');
  }, hostname().split('.')[0]!);
}

test('a phone, a chat, and what they may', async ({ page, phone, origin, telegram, start }) => {
  const beckon = await start(...agents);
  const { asks, review } = await play(beckon, page);
  await beckon.call(page, 'SetTelegram', token);
  await beckon.call(page, 'SwitchChannel', 'telegram', true);
  await expect.poll(() => beckon.call<{ code: string }>(page, 'PairDevice', 'telegram').then(({ code }) => code, () => '')).not.toBe('');
  telegram.type(`/start ${(await beckon.call<{ code: string }>(page, 'PairDevice', 'telegram')).code}`);
  await expect.poll(() => beckon.call<unknown[]>(page, 'Devices')).toHaveLength(1);

  await allowPhones(beckon, page, origin);
  const [pixel, other] = [await phone(), await phone(iphone)];
  const id = await pair(beckon, page, pixel);
  await pair(beckon, page, other, 'iPhone, Mira');
  await beckon.call(page, 'EditDevice', id, { ...none, questions: true, plans: true, steer: true, lines: true });
  await rename(pixel);
  await take(pixel, 'phone-inbox');
  await pixel.getByRole('link', { name: /treat ranges/ }).tap();
  await expect(pixel.getByRole('radio').first()).toBeVisible();
  await rename(pixel);
  await take(pixel, 'phone-answer');

  await beckon.open(page, '#/settings/remote');
  await page.getByRole('button', { name: 'Show a code' }).first().click();
  await expect(page.getByRole('img', { name: 'The code, as a picture for a camera' })).toBeVisible();
  await take(page, 'settings-remote');
  await beckon.open(page, '#/settings/privacy');
  await expect(page.getByRole('checkbox', { name: /Pixel 9: Commands/ })).toBeVisible();
  await take(page, 'settings-privacy');

  await beckon.open(page, `#/task/${review.key}/questions`);
  await expect(page.getByRole('row', { name: /desk, you/ }).first()).toBeVisible();
  await pixel.getByRole('radio').first().tap();
  await pixel.getByRole('button', { name: /Send answer|Next question/ }).tap();
  await pixel.evaluate(() => dispatchEvent(new Event('pagehide')));
  await beckon.open(page, `#/task/${asks.key}/questions`);
  await expect(page.getByRole('row', { name: /Pixel 9/ })).toBeVisible();
  await page.getByRole('button', { name: /treat ranges/ }).click();
  await take(page, 'task-questions');
});
