import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';

// What a window of 1440 by 900 shows at 200 %.
test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

test('at 200 % the merge bar says all that it says, and the composer keeps its controls', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { ask, finish } = await openFull(beckon, page);
  await beckon.open(page, `#/task/${finish.key}/changes`);
  const bar = page.locator('.mergebar');
  await expect(bar.getByRole('button', { name: /^Merge/ })).toBeInViewport({ ratio: 1 });
  await expect(bar.getByRole('button', { name: 'Discard' })).toBeInViewport({ ratio: 1 });
  for (const said of ['Merges cleanly into main', '1 commit, 2 files']) {
    const line = bar.getByText(said);
    await expect(line).toBeInViewport({ ratio: 1 });
    expect(await line.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientHeight < 24), `${said}, in one line and whole`).toBe(true);
  }

  await beckon.open(page, `#/task/${ask.key}`);
  const controls = page.getByRole('group', { name: 'How Claude works' });
  for (const name of ['Model', 'Permissions', 'Effort']) await expect(controls.getByLabel(name)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: /^Send answer/ })).toBeInViewport({ ratio: 1 });
});
