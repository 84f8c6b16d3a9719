import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

/** What one looks at in a task's page: what the rows and the field say, and where they are. */
interface Sight {
  rows: number;
  places: string[];
}

/** Has the page keep what is in sight in the first frame after a key that shows the session. */
async function watchFirstFrame(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sight = () => {
      const log = document.querySelector('[role=log]')!;
      const within = log.getBoundingClientRect();
      const rows = [...log.querySelectorAll('.virtual-row')].filter(
        (row) => row.getBoundingClientRect().bottom > within.top,
      );
      const others = document.querySelectorAll('.bar, .brief h1, .tabs, .composer');
      const place = (one: Element) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join(' ') + ` ${one.textContent!.trim()}`;
      };
      return {
        rows: log.querySelectorAll('.virtual-row').length,
        places: [...others, ...rows].map(place),
      };
    };
    const look = () => {
      if (document.querySelector('[role=log] .virtual-row'))
        setTimeout(() => Object.assign(window, { firstSight: sight() }));
      else requestAnimationFrame(look);
    };
    Object.assign(window, { sight });
    addEventListener('keydown', () => requestAnimationFrame(look), { capture: true, once: true });
  });
}

const seen = (page: Page, when: 'firstSight' | 'sight') =>
  page.evaluate((name) => {
    const kept = (window as unknown as Record<string, Sight | (() => Sight)>)[name]!;
    return typeof kept === 'function' ? kept() : kept;
  }, when);

test('the first frame of a task has all that is in sight, where it stays, and no row beyond', async ({
  page,
  start,
}) => {
  const beckon = await start(
    `${'read README.md\ntext I have **read** it.\n'.repeat(30)}text That was all.`,
  );
  const [task] = await beckon.openWith(page, { title: 'Read' });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(30_000),
  });
  await beckon.call(page, 'MoveTask', task!.id, 'done', 0); // of one in review Enter shows the changes
  const card = page.getByRole('article', { name: /^SAM-1, Done/ });
  await expect(card).toBeVisible();
  await page.reload();
  await page.waitForResponse(/assets\/TaskPage-.*\.js/); // it is fetched while nobody does anything
  const read = page.waitForResponse(/rpc\/Transcript$/);
  await card.focus();
  await read; // who rests on a card may open it
  await watchFirstFrame(page);
  await page.keyboard.press('Enter');
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log.locator('.line .more').first(), 'the menus of rows come after').toBeAttached();
  const [first, then] = [await seen(page, 'firstSight'), await seen(page, 'sight')];
  expect(first.places.length, 'bar, title, tabs, field and rows').toBeGreaterThan(10);
  expect(first.places.slice(-2).join(), 'the end').toContain('That was all.');
  const sooner = new Set(first.places);
  expect(then.places.filter((place) => !sooner.has(place))).toEqual([]);
  await expect
    .poll(async () => (await seen(page, 'sight')).rows, 'rows beyond those come after')
    .toBeGreaterThan(first.rows);
});
