import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';
import { patience } from '../support/patience';

// What a window of 1440 by 900 shows at 200 %.
test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

test('at 200 % the merge bar says all that it says, and the composer keeps its controls', async ({
  page,
  start,
}) => {
  const beckon = await start(...agents);
  const { ask, finish } = await openFull(beckon, page);
  await beckon.open(page, `#/task/${finish.key}/changes`);
  const bar = page.locator('.mergebar');
  await expect(bar.getByRole('button', { name: /^Merge/ })).toBeInViewport({ ratio: 1 });
  await expect(bar.getByRole('button', { name: 'Discard' })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('header.bar').getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(
    page.locator('header.bar').getByRole('button', { name: 'More', exact: true }),
  ).toBeInViewport({ ratio: 1 });
  for (const said of ['Merges cleanly into main', '1 commit, 2 files']) {
    const line = bar.getByText(said);
    await expect(line).toBeInViewport({ ratio: 1 });
    expect(
      await line.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientHeight < 24),
      `${said}, in one line and whole`,
    ).toBe(true);
  }

  await expect(
    page.getByRole('tree', { name: 'Changed files' }),
    'the tree has no room',
  ).toHaveCount(0);
  const head = page.locator('.filehead').first();
  await expect(head.getByRole('button', { name: 'Viewed' })).toBeInViewport({ ratio: 1 });
  await head.getByRole('button', { name: 'Changed files' }).click();
  await page.getByRole('menuitemradio', { name: 'src/more.ts' }).click();
  await expect(page.locator('.filehead', { hasText: 'more.ts' })).toBeInViewport({ ratio: 1 });
  expect(
    (await page.locator('.dl.a').first().boundingBox())!.width,
    'the diff has the room',
  ).toBeGreaterThan(640);

  await beckon.open(page, `#/task/${ask.key}`);
  const controls = page.getByRole('group', { name: 'How Claude works' });
  for (const name of ['Model', 'Permissions', 'Effort'])
    await expect(controls.getByLabel(name)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: /^Send answer/ })).toBeInViewport({ ratio: 1 });
});

for (const { name, width, height, textSize } of [
  { name: 'at 200 %', width: 720, height: 450, textSize: 0 },
  { name: 'with the largest text at 960 by 640', width: 960, height: 640, textSize: 20 },
]) {
  test(`${name} the Inbox is its list or its question, and Esc leads from the one to the other`, async ({
    page,
    start,
  }) => {
    const beckon = await start(...agents);
    await openFull(beckon, page);
    const looks = { textSize, density: '', codeFont: '', contrast: '', motion: '' };
    await beckon.call(page, 'SaveSettings', {
      slots: 6,
      language: '',
      theme: '',
      singleKeys: true,
      looks,
    });
    await page.setViewportSize({ width, height });
    const list = page.getByRole('navigation', { name: 'Questions' });
    const question = page.getByRole('region', { name: 'Question' });

    await page.keyboard.press('ControlOrMeta+J');
    await expect(question).toBeVisible();
    await expect(list).toBeHidden();
    expect((await question.boundingBox())!.width, 'it has the room of both').toBeGreaterThan(
      width - 230,
    );
    await page.keyboard.press('Escape');
    await expect(list).toBeVisible();
    await expect(question).toBeHidden();
    await expect(list.getByRole('link').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeVisible();
    await page.getByRole('link', { name: 'All questions' }).click();
    await expect(list).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /^Running/ })).toBeVisible();
  });
}

for (const [width, height] of [
  [960, 640],
  [1040, 720],
  [1440, 900],
] as const) {
  test(`the keys of a question are named whole or not at all, at ${width} by ${height}`, async ({
    page,
    start,
  }) => {
    const beckon = await start(agents[0]!);
    await page.setViewportSize({ width, height });
    await beckon.openWith(page, { title: 'Ask', policy: 'proceed', waitMs: 600_000 });
    await expect(page.getByRole('article', { name: /^SAM-1, needs you/ })).toBeVisible({
      timeout: patience(20_000),
    });
    await beckon.open(page, '#/inbox');
    const bar = page.locator('.q-detail .keybar');
    await expect(bar).toBeVisible();
    const { shown, cut } = await bar.evaluate((element) => {
      const { right, bottom } = element.getBoundingClientRect();
      const boxes = [...element.children]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.top < bottom - 2);
      return {
        shown: boxes.length,
        cut: boxes.filter((box) => box.right > right || box.bottom > bottom + 1).length,
      };
    });
    expect(shown).toBeGreaterThan(3);
    expect(cut).toBe(0);
  });
}
