import type { Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { newWindow } from '../support/window';
import { patience } from '../support/patience';

/** Starts the demo from the first page. */
async function enter(page: Page) {
  await page.getByRole('button', { name: 'Try the demo here' }).click();
  const bar = page.getByRole('region', { name: 'Demo' });
  await expect(bar).toBeVisible({ timeout: patience(30_000) });
  return bar;
}

test(
  'the demo opens in the same page, counts its three steps, and is left as if nothing had been',
  { tag: '@smoke' },
  async ({ page, context, start }) => {
    test.slow();
    const beckon = await start('text Done.');
    await beckon.open(page);
    const bar = await enter(page);
    expect(context.pages()).toHaveLength(1);
    expect(new URL(page.url()).origin).toBe(beckon.base);
    const step = (n: number) => bar.getByRole('listitem').nth(n);
    await expect(step(1)).toHaveAttribute('aria-current', 'step', { timeout: patience(30_000) });
    await expect(step(0)).toContainText('done');
    const [own, pages] = [
      (await bar.boundingBox())!,
      (await page.locator('header.bar').boundingBox())!,
    ];
    expect(own.y, 'below the bar of the page').toBeGreaterThanOrEqual(pages.y + pages.height - 1);

    const question = page.getByRole('group', { name: /treat ranges that overlap/ });
    await page.keyboard.press('ControlOrMeta+J');
    await expect(
      question.or(page.getByRole('group', { name: /Which shape/ })).first(),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /treat ranges/ })).toBeVisible({
      timeout: patience(30_000),
    });
    await page.getByRole('link', { name: /treat ranges/ }).click();
    await expect(question).toBeVisible();
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect(step(1)).toContainText('done');
    await expect(step(2)).toHaveAttribute('aria-current', 'step');
    await judge(page, 'the demo');

    await page.reload();
    await expect(bar).toBeVisible();
    await expect(page.getByRole('link', { name: /^Inbox/ })).toBeVisible();

    await bar.getByRole('button', { name: 'Leave the demo' }).click();
    await expect(page.getByRole('button', { name: 'Try the demo here' })).toBeVisible();
    await expect(bar).toHaveCount(0);
    expect(await beckon.tasks(page), 'nothing of the demo is left here').toEqual([]);
  },
);

test('a demo that is gone sends its page back, and says so', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  const bar = await enter(page);
  const { left } = beckon.endDemo();
  await expect(page.getByRole('button', { name: 'Try the demo here' })).toBeVisible({
    timeout: patience(20_000),
  });
  await expect(page.getByText('The demo has ended. Nothing of yours was touched.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect.poll(left, { message: 'nothing of it stays' }).toEqual([]);
});

test('a page that leaves the demo leaves it to the page beside it, and the last one ends it', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  const bar = await enter(page);
  const other = await newWindow(page);
  await other.goto(beckon.base);
  const beside = await enter(other);
  await beside.getByRole('button', { name: 'Leave the demo' }).click();
  await expect(other.getByRole('button', { name: 'Try the demo here' })).toBeVisible();
  await expect(page.getByRole('article', { name: /needs you/ }).first()).toBeVisible({
    timeout: patience(30_000),
  });
  await page.reload();
  await expect(bar, 'the demo goes on').toBeVisible();
  expect(beckon.demos()).toHaveLength(1);
  await bar.getByRole('button', { name: 'Leave the demo' }).click();
  await expect(page.getByRole('button', { name: 'Try the demo here' })).toBeVisible();
  await expect.poll(() => beckon.demos(), { timeout: patience(20_000) }).toEqual([]);
});

test('who has seen enough goes on with a project of their own', async ({ page, start }) => {
  const beckon = await start('text Done.');
  await beckon.open(page);
  const bar = await enter(page);
  await bar.getByRole('button', { name: 'Add my project' }).click();
  await expect(page.getByRole('dialog', { name: 'Add a project' })).toBeVisible();
  await expect(bar).toHaveCount(0);
});
