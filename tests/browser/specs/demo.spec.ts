import { expect, test } from '../support/fixture';

test('the demo is started from the first page, beside this Beckon, and ends with it', async ({ page, context, start, offences }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const beckon = await start('text Done.');
  await beckon.open(page);
  await page.getByRole('button', { name: 'Try the demo' }).click();
  const said = page.getByRole('status').filter({ hasText: 'The demo runs next to this Beckon' });
  await expect(said).toBeVisible({ timeout: 30_000 });
  await said.getByRole('button', { name: 'Copy' }).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const { origin } = new URL(address);
  expect(origin).not.toBe(beckon.base);

  const demo = await context.newPage();
  await demo.goto(address);
  await expect(demo.getByRole('article', { name: /needs you/ }).first()).toBeVisible({ timeout: 30_000 });
  await demo.close();

  // This Beckon has none of it, and is still signed in.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible();

  await beckon.kill();
  await expect(() => expect(context.request.get(origin, { timeout: 1000 })).rejects.toThrow('ECONNREFUSED')).toPass({ timeout: 20_000 });
  expect(offences.every((one) => one.includes(origin)), 'nobody else was spoken to').toBe(true);
  offences.length = 0; // the demo has an address of its own
});
