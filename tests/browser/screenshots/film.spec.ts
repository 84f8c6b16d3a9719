// The film of the README: a question is answered, and the agent carries on.
// build/film.sh makes it of the pictures that are taken here.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { newcomer } from '../support/beckon';
import { expect, test } from '../support/fixture';
import type { Page } from '@playwright/test';
import { root } from '../support/places';
import { agents, kestrel, play } from './stage';

const folder = `${root}tests/out/film`;

test.use({ repo: kestrel, viewport: { width: 1440, height: 860 }, deviceScaleFactor: 1.25, colorScheme: 'light' });

/** Film takes pictures, each with how long it is to be seen. */
class Film {
  #frames: { file: string; ms: number }[] = [];

  constructor(private readonly page: Page) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  /** Shows what is there for a time. */
  async still(ms: number): Promise<void> {
    const file = `${String(this.#frames.length).padStart(3, '0')}.png`;
    await this.page.screenshot({ path: `${folder}/${file}` });
    this.#frames.push({ file, ms });
  }

  /** Shows what happens during a time, as fast as pictures can be taken. */
  async roll(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      const from = performance.now();
      await this.still(0);
      await this.page.waitForTimeout(Math.max(0, 120 - (performance.now() - from)));
      this.#frames.at(-1)!.ms = Math.round(performance.now() - from);
    }
  }

  /** Presses a key and says which, as a picture does not show hands. */
  async press(key: string, name: string, ms: number): Promise<void> {
    await this.page.evaluate((text) => {
      const cap = document.querySelector<HTMLElement>('#film-key') ?? document.body.appendChild(document.createElement('div'));
      cap.id = 'film-key';
      cap.textContent = text;
      Object.assign(cap.style, { position: 'fixed', left: '50%', bottom: '28px', transform: 'translateX(-50%)', padding: '10px 18px', borderRadius: '10px', background: '#151e1cee', color: '#fff', font: '600 17px var(--font)', zIndex: '99' });
    }, name);
    await this.still(700);
    await this.page.keyboard.press(key);
    await this.roll(ms);
    await this.page.evaluate(() => document.querySelector('#film-key')?.remove());
  }

  /** Leaves the list of the pictures for who makes the film. */
  end(): void {
    writeFileSync(`${folder}/frames.txt`, this.#frames.map(({ file, ms }) => `${file} ${ms}\n`).join(''));
  }
}

test('a question is answered', async ({ page, start }) => {
  const beckon = await start(...agents);
  const { asks } = await play(beckon, page);
  // One question is enough for a film.
  const other = (await beckon.tasks(page)).find((task) => task.key === 'KES-2')!;
  const [permission] = await beckon.questions(page, other);
  await beckon.call(page, 'AnswerQuestion', permission!.id, { items: [], verdict: 'deny', text: '', by: '', at: 0 });
  await expect(page.getByRole('article', { name: /KES-2, Review/ })).toBeVisible({ timeout: 20_000 });
  await page.reload();
  const card = page.getByRole('article', { name: new RegExp(`^${asks.key},`) });
  await expect(card).toBeVisible();
  const film = new Film(page);
  await film.still(1800);
  await film.press('j', 'J   go to who needs you', 500);
  await expect(card).toBeFocused();
  await film.still(1800);
  await film.press('1', '1   answer', 2500);
  await expect(card).toContainText('git log', { timeout: 20_000 });
  await page.waitForTimeout(newcomer);
  await film.still(1800);
  await film.press('1', '1   allow once', 2500);
  await expect(card).toHaveAccessibleName(/Review/, { timeout: 20_000 });
  await card.focus();
  await film.press('Enter', 'Enter   open the task', 1800);
  await page.getByRole('tab', { name: 'Session' }).click();
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('Reject the query');
  await film.roll(3500);
  await film.still(2500);
  film.end();
});
