// Sessions that run elsewhere, beside shared pictures of the design.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '../support/fixture';
import { type Asked, test } from '../support/outside';
import { take } from './take';

const early: Asked = {
  question: 'How should the client handle an early close?', header: 'Early close', multiSelect: false,
  options: [
    { label: 'Retry once', description: 'Safe here, uploads are idempotent.' },
    { label: 'Drain, then fail', description: 'Keeps the server’s reason in the error.' },
    { label: 'Fail at once', description: 'What it does today.' },
  ],
};
const rounding: Asked = {
  question: 'Round per line or per statement?', header: 'Rounding', multiSelect: false,
  options: [{ label: 'Per line', description: 'As the bank does.' }, { label: 'Per statement', description: 'Fewer cents lost.' }],
};
const agents = [`match: (?i)billing
text The handler mixes five event types and shares one transaction. I split it so that each event owns its own.
read README.md
sleep 600s`, `match: (?i)currency
text The schema is ready. Next I generate the migration against the local database.
permit Bash {"command":"pnpm prisma migrate dev --name invoice_currency","description":"Makes the migration"}`];

test.beforeEach(async ({ context }) => {
  // Where the program lies tells of the machine that took the picture.
  await context.route('**/rpc/PreviewHook', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replaceAll(/'[^']*\/beckon' hook( -data '[^']*')?/g, "'/usr/bin/beckon' hook") });
  });
});

test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }));

test('sessions elsewhere, and where there is none', async ({ page, start, open }) => {
  const beckon = await start(...agents);
  await beckon.openWith(page, { title: 'Split the billing webhook handler' }, { title: 'Add a currency column to invoices', policy: 'wait' });
  await beckon.open(page, '#/mission');
  await expect(page.getByRole('button', { name: 'Install the hook' })).toBeVisible();
  await expect(page.getByRole('region', { name: /SAM-2, asks permission/ })).toBeVisible();
  await take(page, 'mission-outside-empty');

  await page.getByRole('button', { name: 'Install the hook' }).click();
  await expect(page.getByText('Installed the hook.')).toBeVisible();
  const elsewhere = join(beckon.home, 'src/ledgerline');
  const kestrel = join(beckon.home, 'src/kestrel');
  for (const dir of [elsewhere, kestrel]) mkdirSync(dir, { recursive: true });
  await beckon.call(page, 'AddProject', { dir: kestrel, name: 'kestrel', key: 'KES', base: '', trusted: true });
  const upload = await open(beckon, kestrel, 'fix flaky upload');
  const ledger = await open(beckon, elsewhere, 'ledger import', 'claude-vscode');
  upload.says('The upload test fails once in about forty runs: the server closes the socket before the last chunk is read.');
  upload.asks('toolu_1', early);
  const printed = upload.hook(early);
  ledger.says('Totals are rounded per line and again at the end. I compare both sums on the sample files first.');
  ledger.asks('toolu_2', rounding);
  const card = page.getByRole('region', { name: /^ledger import/ }).getByRole('group', { name: /Round per line/ });
  await expect(card).toBeVisible();
  await expect(page.getByRole('region', { name: /^fix flaky upload/ }).getByRole('group', { name: /early close/ })).toContainText('the first wins');
  await take(page, 'outside-met');
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('region', { name: /^fix flaky upload/ }).focus();
  await take(page, 'outside-asked');
  ledger.hears('toolu_2', [rounding], { [rounding.question]: 'Per statement' });
  ledger.delegates('toolu_3', 'compare the sums');
  await expect(card).toBeHidden();
  await take(page, 'mission-outside');
  await page.getByRole('button', { name: '2 sessions elsewhere' }).click();
  await take(page, 'outside-list');
  await page.keyboard.press('Escape');
  await beckon.open(page, '#/inbox');
  await page.getByRole('link', { name: /early close/ }).click();
  await take(page, 'outside-inbox');
  await beckon.open(page, '#/settings/elsewhere');
  await expect(page.getByRole('button', { name: 'Remove…' })).toBeVisible();
  await take(page, 'outside-settings');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await expect(page.getByRole('dialog')).toContainText('PermissionRequest');
  await take(page, 'outside-remove');
  upload.hears('toolu_1', [early], { [early.question]: 'Retry once' });
  await printed;
});
