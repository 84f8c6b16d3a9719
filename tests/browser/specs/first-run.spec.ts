import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { hittable } from '../support/targets';
import { Repo } from '../support/repo';

/** Repositories in the home folder, as somebody has them who comes for the first time. */
function home(beckon: Beckon): void {
  const files = { 'README.md': '# here\n' };
  for (const parent of ['src', 'work/acme'])
    mkdirSync(join(beckon.home, parent), { recursive: true });
  Repo.make(join(beckon.home, 'src'), { name: 'kestrel', files });
  Repo.make(join(beckon.home, 'src'), { name: 'kestrel-docs', files });
  const orchard = Repo.make(join(beckon.home, 'work/acme'), { name: 'orchard', files });
  orchard.git('commit', '-q', '--allow-empty', '-m', 'Fix rounding in invoices');
  mkdirSync(join(beckon.home, 'src/keswick'));
}

/** The paths of all projects, as a page that attaches has them. */
async function projects(beckon: Beckon, page: Page): Promise<{ dir: string; trusted: boolean }[]> {
  const frame = await beckon.call<{ events: { project?: { dir: string; trusted: boolean } }[] }>(
    page,
    'Attach',
    'browsertests',
  );
  return frame.events.flatMap(({ project }) => project ?? []);
}

test(
  'a newcomer with repositories has them on the board in one key',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start('text Done.');
    home(beckon);
    await beckon.open(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add your first project');
    const nearby = page.getByRole('region', { name: 'Found in your home folder' });
    await expect(nearby.getByRole('checkbox')).toHaveCount(3);
    await expect(
      nearby.getByRole('checkbox', {
        name: /orchard.*~\/work\/acme\/orchard.*Fix rounding in invoices.*main/,
      }),
    ).toBeVisible();
    await expect(nearby.getByRole('checkbox', { checked: true })).toHaveCount(2);
    await expect(page.getByRole('button', { name: /Add 2 projects/ })).toBeEnabled();
    await expect(page.getByRole('combobox', { name: 'Folder' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('navigation').getByRole('link', { name: /kestrel|orchard/ }),
    ).toHaveCount(2);
    const added = await projects(beckon, page);
    expect(
      added.map(({ trusted }) => trusted),
      'nothing is trusted that nobody trusted',
    ).toEqual([false, false]);
  },
);

test('what is chosen, typed and trusted is what is added', async ({ page, start }) => {
  const beckon = await start('text Done.');
  home(beckon);
  await beckon.open(page);
  const nearby = page.getByRole('region', { name: 'Found in your home folder' });
  for (const box of await nearby.getByRole('checkbox').all()) await box.uncheck();
  await expect(page.getByRole('button', { name: /Add a project/ })).toBeDisabled();
  await nearby.getByRole('checkbox', { name: /kestrel-docs/ }).check();
  await page.getByLabel('Trust these repositories').check();
  const folder = page.getByRole('combobox', { name: 'Folder' });
  await folder.fill(beckon.repo.dir);
  await expect(page.getByRole('button', { name: /Add 2 projects/ })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('navigation').getByRole('link', { name: /sample/ })).toBeVisible();
  const added = async () =>
    (await projects(beckon, page)).map(({ dir, trusted }) => `${dir} ${trusted}`).sort();
  await expect
    .poll(added)
    .toEqual([`${join(beckon.home, 'src/kestrel-docs')} true`, `${beckon.repo.dir} true`].sort());
});

test('a path is typed in a few keys, and Tab still leaves the field', async ({ page, start }) => {
  const beckon = await start('text Done.');
  home(beckon);
  await beckon.open(page);
  const folder = page.getByRole('combobox', { name: 'Folder' });
  await expect(folder).toBeFocused();
  await page.keyboard.type('~/s');
  const offered = page.getByRole('listbox', { name: 'Folders' }).getByRole('option');
  await expect(offered).toHaveText([/~\/src/]);
  await page.keyboard.press('Tab');
  await expect(folder).toHaveValue('~/src/');
  await expect(offered).toHaveText([/kestrel.*main, .*/, /kestrel-docs/, /keswick.*no repository/]);
  await page.keyboard.type('kes');
  await expect(offered).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await expect(folder).toHaveAttribute(
    'aria-activedescendant',
    (await offered.nth(1).getAttribute('id'))!,
  );
  await page.keyboard.press('Enter');
  await expect(folder).toHaveValue('~/src/kestrel-docs');
  await expect(offered).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(folder).not.toBeFocused();

  await page.getByRole('checkbox', { name: /orchard/ }).check();
  await folder.fill('~/nowhere');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation').getByRole('link', { name: /orchard/ })).toBeVisible();
  await expect(page.getByText(`There is no folder ${join(beckon.home, 'nowhere')}.`)).toBeVisible();
});

test('a sheet that is asked for half a path offers the rest, and says nothing is wrong', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  home(beckon);
  await page.getByRole('button', { name: 'Add a project' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a project' });
  await expect(sheet.getByRole('combobox', { name: 'Folder' })).toBeFocused();
  await page.keyboard.type('~/src/kes');
  await expect(sheet.getByRole('option')).toHaveCount(3);
  await expect(sheet.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(sheet.getByRole('option')).toHaveCount(0);
  await expect(sheet.getByRole('alert')).toContainText('There is no folder');
  await page.keyboard.type('trel');
  await expect(sheet.getByRole('list', { name: 'What Beckon found' })).toContainText('kestrel');
  await page.keyboard.press('Escape');
});

test('who cannot see repositories nearby can choose them, in a small window too', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  home(beckon);
  await beckon.open(page);
  await expect(page.getByRole('region', { name: 'Found in your home folder' })).toBeVisible();
  await judge(page, 'repositories nearby');
  await page.getByRole('combobox', { name: 'Folder' }).pressSequentially('~/src/kes');
  await expect(page.getByRole('option')).toHaveCount(3);
  await judge(page, 'folders offered');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 720, height: 450 });
  await hittable(page, 'repositories nearby, at 200 %');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});

test('the first page says who is signed in, and how to where nobody is', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  const says = (account: { known: boolean; signedIn: boolean; email: string; plan: string }) =>
    page.route('**/rpc/Account', (route) => route.fulfill({ json: account }));
  const row = page
    .getByRole('list', { name: 'Checks' })
    .getByRole('listitem')
    .filter({ hasText: 'Claude Code' });
  await says({ known: true, signedIn: true, email: 'mira@acme.dev', plan: 'max' });
  await beckon.open(page);
  await expect(row).toContainText('signed in as mira@acme.dev, Max plan');
  await page.unrouteAll({ behavior: 'wait' });
  await says({ known: true, signedIn: false, email: '', plan: '' });
  await page.reload();
  await expect(row).toContainText('Nobody is signed in');
  await expect(row).toContainText('claude auth login');
  await judge(page, 'signed out');
  await page.unrouteAll({ behavior: 'wait' });
  await says({ known: false, signedIn: false, email: '', plan: '' });
  await row.getByRole('button', { name: 'Check again' }).click();
  await expect(row).not.toContainText('signed in');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
