import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { root } from '../support/places';
import { agents, openFull } from '../support/sample';
import { leave, missions, overlays, pages, visit } from '../support/screens';

const german = { slots: 6, language: 'de', theme: '', singleKeys: true };

test(
  'who chooses German reads German on the first run',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(...agents);
    await beckon.open(page);
    await beckon.call(page, 'SaveSettings', german);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('button', { name: 'Projekt hinzufügen' })).toBeVisible();
    await read(page, 'first run');
    await page.getByRole('button', { name: 'Projekt hinzufügen' }).click();
    await page.getByRole('dialog').getByRole('combobox').first().fill(beckon.repo.dir);
    await expect(page.getByRole('checkbox')).toBeVisible();
    await read(page, 'add a project');
  },
);

test('who chooses German reads German on every screen', async ({ page, start }) => {
  test.slow();
  const beckon = await start(...agents);
  const full = await openFull(beckon, page);
  await beckon.call(page, 'SaveSettings', german);
  await page.reload(); // what was announced before was announced in English
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  for (const screen of [...pages(full), ...missions, ...overlays(full)]) {
    await visit(beckon, page, screen);
    await read(page, screen.name);
    await leave(page, screen);
  }
});

/** Fails for each text on the page that is one of the English messages and none of the German ones. */
async function read(page: Page, screen: string) {
  const shown = await page.evaluate(() => {
    const texts = new Set<string>([document.title]);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // What agents and people wrote is in their own language.
    const theirs = '.mono, .md, .me, .ask-q, .opt, .cmd, .card h3 a, .code, .diff, .parts, option';
    while (walk.nextNode())
      if (!walk.currentNode.parentElement?.closest(theirs))
        texts.add(walk.currentNode.textContent!.trim());
    for (const name of ['aria-label', 'placeholder', 'title']) {
      for (const element of document.querySelectorAll(`[${name}]`))
        texts.add(element.getAttribute(name)!.trim());
    }
    return [...texts].filter((text) => /\p{Letter}{3}/u.test(text));
  });
  expect(shown.length, `${screen} shows something`).toBeGreaterThan(5);
  const left = shown.filter((text) => !said(de, text) && said(en, text));
  expect.soft(left, `${screen}: English that is left`).toEqual([]);
}

const en = messages('en');
const de = messages('de');

function said(patterns: RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

/** The messages of a language as patterns, with anything in their holes. */
function messages(language: string): RegExp[] {
  const folder = `${root}frontend/messages/${language}`;
  const texts = readdirSync(folder).flatMap((file) =>
    Object.values(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Record<string, string>),
  );
  const worded = texts.filter((text) => /\p{Letter}{3}/u.test(text.replace(/\{\w+\}/g, '')));
  return worded.map(
    (text) =>
      new RegExp(
        `^${text
          .trim()
          .split(/\{\w+\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.+')}$`,
        'u',
      ),
  );
}
