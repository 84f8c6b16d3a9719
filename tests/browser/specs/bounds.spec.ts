// What others wrote is long, and has no say over the page: explanations are whole,
// titles and labels stay within their places, and turn no text around.
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';
import { Repo, sample } from '../support/repo';

const why =
  'Returns an error that names both positions, so that the caller can show them; the dashboard and the nightly report have to be changed before the next release, and until then they show the raw text.';
const path = `/srv/${'very-long-folder-name-without-any-gap/'.repeat(4)}`;
const questions = [
  {
    question: 'How should overlaps be treated?',
    header: 'Overlaps',
    options: [
      { label: 'Reject', description: why },
      { label: 'Merge', description: path },
      { label: `Warn ${'w'.repeat(90)}`, description: why },
    ],
  },
];

const agents = [
  `match: Ask\nask_user ${JSON.stringify({ questions })}`,
  'match: Permit\npermit Bash {"command":"rm -rf build","description":"Removes what was built"}',
  'match: Work\ntext I work.\nsleep 120s',
  'match: Finish\nwrite new.txt text\ntext Done.',
];

/** The parts of options that are cut, or leave the question. */
function cut(page: Page): Promise<string[]> {
  return page.locator('.ask .opt :is(.what, .why)').evaluateAll((parts) =>
    parts
      .filter((part) => part.checkVisibility())
      .flatMap((part) => {
        const [box, card] = [
          part.getBoundingClientRect(),
          part.closest('.ask')!.getBoundingClientRect(),
        ];
        const style = getComputedStyle(part);
        const clipped =
          style.overflow !== 'visible' &&
          (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1);
        const inner = [...part.querySelectorAll('*')].some(
          (one) =>
            one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible',
        );
        return clipped || inner || box.right > card.right || part.scrollWidth > part.clientWidth + 1
          ? [part.textContent!.trim().slice(0, 60)]
          : [];
      }),
  );
}

for (const width of [960, 1280, 1440]) {
  test(`the explanations of options are whole on the task page, ${width} px wide`, async ({
    page,
    start,
  }) => {
    const beckon = await start(...agents);
    await page.setViewportSize({ width, height: 900 });
    const [ask, permit] = await beckon.openWith(
      page,
      { title: 'Ask how', policy: 'wait' },
      { title: 'Permit it', policy: 'wait' },
    );
    for (const [task, options] of [
      [ask!, 3],
      [permit!, 3],
    ] as const) {
      await beckon.open(page, `#/task/${task.key}`);
      const shown = page.locator('.ask .opt');
      await expect(shown.first()).toBeVisible({ timeout: patience(20_000) });
      expect(await shown.count(), task.key).toBeGreaterThanOrEqual(options);
      expect(await cut(page), task.key).toEqual([]);
    }
  });
}

/** Turns the text after it around, where nobody takes it out. */
const override = '\u202e';
const title = (verb: string) =>
  `${verb} ${override}evil live${override} ${'x'.repeat(120)} ${'and report both positions of each overlap '.repeat(9)}`.trim();
const labels = [
  'a label far too long for any card, with a longwordwithoutanygapatallinit',
  `bidi${override}label`,
  ...Array.from({ length: 18 }, (_, i) => `label-${i}`),
];

/** What leaves the places that hold it sideways, or turns text around. */
function strays(page: Page, places: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const shown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !one.closest('.sr, [aria-live]');
    const clips = (one: Element | null, until: Element): boolean =>
      one !== null &&
      one !== until &&
      (getComputedStyle(one).overflowX !== 'visible' || clips(one.parentElement, until));
    const all = [...document.querySelectorAll(selector)].filter(shown);
    if (all.length === 0) return [`nothing is ${selector}`];
    const out = all.flatMap((place) => {
      const { left, right } = place.getBoundingClientRect();
      return [...place.querySelectorAll('*')]
        .filter((one) => {
          const box = one.getBoundingClientRect();
          return (
            shown(one) &&
            box.width > 0 &&
            (box.right > right + 1 || box.left < left - 1) &&
            !clips(one.parentElement, place) &&
            getComputedStyle(one).position !== 'absolute'
          );
        })
        .map(
          (one) =>
            `${one.tagName}.${one.className} leaves ${place.className}: ${one.textContent!.trim().slice(0, 40)}`,
        );
    });
    if (/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText))
      out.push('an override is shown');
    if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
    return out;
  }, places);
}

test('titles without end, as many labels as can be and names that turn text around stay in their places, on every screen', async ({
  page,
  start,
}) => {
  test.slow();
  const beckon = await start(...agents);
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 6, language: '', theme: '', singleKeys: true });
  const drafts = ['Ask', 'Permit', 'Work', 'Finish'].map((verb) => ({
    title: title(verb),
    labels,
    policy: 'wait' as const,
  }));
  const [ask, , , finish] = await beckon.openWith(
    page,
    ...drafts,
    { title: title('Later'), labels, status: 'backlog' },
    { title: title('Old'), labels, status: 'backlog' },
  );
  for (const [key, state] of [
    ['SAM-1', 'needs you'],
    ['SAM-2', 'needs you'],
    ['SAM-4', 'Review'],
  ]) {
    await expect(page.getByRole('article', { name: new RegExp(`^${key}, ${state}`) })).toBeVisible({
      timeout: patience(20_000),
    });
  }
  for (const width of [1440, 960]) {
    await page.setViewportSize({ width, height: 900 });
    await beckon.open(page, '#/');
    await expect(page.locator('.card')).toHaveCount(width === 1440 ? 6 : 5);
    expect.soft(await strays(page, '.card'), `board, ${width}`).toEqual([]);
    for (const card of await page.locator('.card:not(.open)').all()) {
      expect
        .soft((await card.boundingBox())!.height, 'a card is no longer than a few lines')
        .toBeLessThan(330);
      expect
        .soft(await card.locator('.label').count(), 'labels are counted beyond a few')
        .toBeLessThanOrEqual(7);
    }
    await beckon.open(page, `#/task/${ask!.key}`);
    await expect(page.locator('.ask')).toBeVisible();
    expect
      .soft(
        await strays(page, width === 1440 ? 'aside.brief, header.bar, .ask' : 'header.bar, .ask'),
        `session, ${width}`,
      )
      .toEqual([]);
    await beckon.open(page, `#/task/${finish!.key}/changes`);
    await expect(page.locator('.mergebar')).toBeVisible();
    expect
      .soft(await strays(page, 'header.bar, .mergebar, .filehead'), `changes, ${width}`)
      .toEqual([]);
    await beckon.open(page, '#/inbox');
    await expect(page.locator('.q-detail .ask')).toBeVisible();
    expect.soft(await strays(page, '.q, .q-detail, header.bar'), `inbox, ${width}`).toEqual([]);
    await beckon.open(page, '#/mission');
    await expect(page.locator('.pane').first()).toBeVisible();
    expect.soft(await strays(page, '.pane, header.bar'), `mission, ${width}`).toEqual([]);
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('positions');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect.soft(await strays(page, '[role="option"]'), `palette, ${width}`).toEqual([]);
    await page.keyboard.press('Escape');
    if (width === 1440)
      await beckon.call(
        page,
        'MoveTask',
        (await beckon.tasks(page)).find((one) => one.key === 'SAM-6')!.id,
        'archived',
        0,
      );
    await beckon.open(page, '#/archive');
    await expect(page.getByRole('row', { name: /SAM-6/ })).toBeVisible();
    expect
      .soft(
        await strays(page, width === 1440 ? '.arch tr, .arch aside' : '.arch tr'),
        `archive, ${width}`,
      )
      .toEqual([]);
    expect
      .soft(
        (await page.getByRole('row', { name: /SAM-6/ }).boundingBox())!.height,
        'a row of the archive is a line',
      )
      .toBeLessThan(60);
  }
});

test('a long name of a project gives the list of settings no scroll bar', async ({
  page,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  await beckon.call(page, 'AddProject', {
    dir: Repo.make(dirname(beckon.repo.dir), { ...sample, name: 'long' }).dir,
    name: 'data-pipeline-for-quarterly-reports',
    key: 'DPQ',
    base: 'main',
    trusted: true,
  });
  await beckon.open(page, '#/settings');
  const list = page.locator('.set-nav');
  await expect(list).toContainText('data-pipeline');
  expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});
