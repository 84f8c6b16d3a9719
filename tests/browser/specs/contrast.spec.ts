// Forced colours, where the system takes grounds and shadows away, and a window
// of 1440 by 900 at 200 %: what shows how things stand is still seen.
import type { Locator, Page } from '@playwright/test';
import type { Beckon } from '../support/beckon';
import { expect, test } from '../support/fixture';
import { agents, openFull } from '../support/sample';
import { missions, visit } from '../support/screens';

/** What a part looks like, by some of its properties. */
function look(of: Locator, properties: string[], pseudo = ''): Promise<string> {
  return of.first().evaluate(
    (element, [names, part]) => {
      const style = getComputedStyle(element, part as string);
      return (names as string[]).map((name) => style.getPropertyValue(name)).join(' ');
    },
    [properties, pseudo] as const,
  );
}

/** A system colour as the page has it, to compare with. */
function colour(page: Page, name: string): Promise<string> {
  return page.evaluate((system) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = `forced-color-adjust: none; color: ${system}`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

const border = ['border-top-width', 'border-top-style', 'border-top-color'];
const outline = ['outline-width', 'outline-style', 'outline-color'];

/** Selects the two cards in review. */
async function selectTwo(page: Page): Promise<void> {
  for (const key of ['SAM-4', 'SAM-5']) {
    await page.getByRole('article', { name: new RegExp(`^${key},`) }).focus();
    await page.keyboard.press('x');
  }
  await expect(page.getByRole('toolbar', { name: '2 selected' })).toBeVisible();
}

/** Puts a card away, so that there is a toast and an archive. */
async function putAway(page: Page, beckon: Beckon): Promise<Locator> {
  await beckon.open(page, '#/');
  await page.getByRole('article', { name: /SAM-6/ }).focus();
  await page.keyboard.press('a');
  const toast = page.locator('.toast');
  await expect(toast).toContainText('Archived SAM-6');
  return toast;
}

test('forced colours leave to be seen what waits, what is chosen and what has the focus', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(...agents);
  const full = await openFull(beckon, page);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const [highlight, text] = [await colour(page, 'Highlight'), await colour(page, 'CanvasText')];
  const chosen = `2px solid ${highlight}`;

  expect(await look(page.locator('.rail a[aria-current]'), outline), 'the current page').toBe(
    chosen,
  );
  expect(await look(page.locator('.card.needs'), border), 'a card that waits').toBe(
    `3px solid ${highlight}`,
  );
  expect(await look(page.locator('.card.needs'), ['background-color'], '::before'), 'its dot').toBe(
    highlight,
  );
  expect(await look(page.locator('.next'), border), 'Answer next').toBe(chosen);
  expect(
    await look(page.locator('.card .sq'), ['background-color']),
    'the square of a project',
  ).not.toBe(await colour(page, 'Canvas'));
  await selectTwo(page);
  expect(await look(page.locator('.card.picked'), border), 'a selected card').toBe(
    `3px solid ${highlight}`,
  );
  expect(await look(page.locator('.card.picked .tick'), ['background-color']), 'its tick').toBe(
    highlight,
  );
  expect(await look(page.getByRole('toolbar'), border), 'the bar of what can be done').toBe(
    `1px solid ${text}`,
  );
  await page.keyboard.press('l');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option').first()).toBeVisible();
  expect(await look(list.locator('.hl'), outline), 'the label that Enter chooses').toBe(chosen);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await beckon.open(page, '#/inbox');
  await expect(page.locator('.ask[role="group"]')).toBeVisible();
  expect(await look(page.locator('.q[aria-current]'), outline), 'the chosen question').toBe(chosen);
  expect(await look(page.locator('.ask[role="group"]'), border), 'a question').toBe(
    `3px solid ${highlight}`,
  );

  await visit(beckon, page, missions[2]!);
  expect(
    await look(page.locator('.seg > [aria-checked="true"]'), outline),
    'the chosen layout',
  ).toBe(chosen);
  expect(
    await look(page.locator('.pane.focus'), border, '::after'),
    'the pane with the focus',
  ).toBe(chosen);

  await beckon.open(page, `#/task/${full.finish.key}/changes`);
  await expect(page.locator('.dl mark').first()).toBeVisible();
  expect(await look(page.locator('.dl mark'), ['text-decoration-line']), 'a changed word').toBe(
    'underline',
  );
  expect(
    await look(page.locator('.tree [aria-selected="true"]'), outline),
    'the file that is shown',
  ).toBe(chosen);
  expect(await look(page.locator('.mergebar'), ['border-top-style']), 'the bar of the merge').toBe(
    'solid',
  );

  await beckon.open(page, `#/task/${full.ask.key}/changes`);
  const bar = page.getByRole('group', { name: 'Merge' });
  await expect(bar).toContainText('still working');
  const grey = await colour(page, 'GrayText');
  for (const name of [/^Send back/, /^Merge into/]) {
    const off = bar.getByRole('button', { name });
    await expect(off).toBeDisabled();
    expect(await look(off, ['color', 'border-top-color', 'opacity']), `${name}, off`).toBe(
      `${grey} ${grey} 1`,
    );
  }

  expect(await look(await putAway(page, beckon), border), 'a toast').toBe(`1px solid ${text}`);
  await beckon.open(page, '#/archive');
  const row = page.getByRole('row', { name: /SAM-6/ });
  await expect(row).toContainText('Archived');
  expect(await look(row, outline), 'the chosen row').toBe(chosen);
  const side = page.getByRole('complementary').filter({ hasText: 'Later' });
  await expect(side).toContainText('Archived');
  expect(
    await look(side, ['border-left-width', 'border-left-style']),
    'the side of the archive',
  ).toBe('1px solid');
  expect(
    await look(side.getByRole('button', { name: /^Restore/ }), [
      'border-top-width',
      'border-top-style',
    ]),
    'its button',
  ).toBe('1px solid');
});

test.describe('at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test('what decides is whole, and Mission Control shows one pane at a time', async ({
    page,
    start,
  }) => {
    test.slow();
    const beckon = await start(...agents);
    await openFull(beckon, page);
    await expect(page.locator('.next')).toBeInViewport({ ratio: 1 });
    await selectTwo(page);
    const bar = page.getByRole('toolbar', { name: '2 selected' });
    for (const name of ['Queue', 'Label', 'Priority', 'Archive', 'Clear'])
      await expect(bar.getByRole('button', { name }), name).toBeInViewport({ ratio: 1 });
    expect((await bar.boundingBox())!.width, 'the bar is as wide as the window').toBeGreaterThan(
      680,
    );
    await page.keyboard.press('l');
    await expect(page.getByRole('option').first()).toBeInViewport({ ratio: 1 });
    const list = (await page.getByRole('listbox').boundingBox())!;
    expect(list.height, 'a list takes at most 60 % of the height').toBeLessThanOrEqual(0.6 * 450);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    await visit(beckon, page, missions[2]!);
    const panes = page.locator('section.pane');
    await expect(panes).toHaveCount(1);
    await page
      .getByRole('link', { name: /SAM-2/ })
      .or(page.getByRole('button', { name: /SAM-2/ }))
      .first()
      .click();
    await expect(panes).toHaveCount(1);
    await expect(panes).toContainText('Permit a removal');
    await expect(panes.getByText('waits for you'), 'the head of a question').toBeInViewport({
      ratio: 1,
    });
    await expect(panes.getByRole('button', { name: /^Read/ }), 'its foot').toBeInViewport({
      ratio: 1,
    });
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog').getByText('$ rm -rf build')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('j');
    await expect(panes, 'the next pane').not.toContainText('Permit a removal');
    await expect(panes).toHaveCount(1);

    const toast = await putAway(page, beckon);
    await expect(toast.getByRole('button', { name: /^Undo/ })).toBeInViewport({ ratio: 1 });
    expect(
      (await toast.getByRole('button', { name: /^Undo/ }).boundingBox())!.height,
      'in one line',
    ).toBeLessThan(36);
    await beckon.open(page, '#/archive');
    await expect(page.getByRole('button', { name: /^Restore/ })).toBeInViewport({ ratio: 1 });
  });
});
