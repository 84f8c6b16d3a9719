// An agent that asks without end is refused, and the page says which one it is.
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

const asks = Array.from({ length: 103 }, (_, i) => `ask_user {"question":"Flood ${i}?"}`).join(
  '\n',
);

test('who floods is named above the page and on its card', async ({ page, start }) => {
  const beckon = await start(`match: Flood\nparallel\n${asks}\nend`);
  await beckon.openWith(page, { title: 'Flood it', policy: 'wait' });
  const said = page
    .getByRole('status')
    .filter({ hasText: 'SAM-1 is asking more than anyone can answer: 3 questions were refused' });
  await expect(said).toBeVisible({ timeout: patience(20_000) });
  await expect(page.getByRole('article', { name: /^SAM-1/ })).toContainText(
    'Asking too much: 3 questions refused',
  );
  await said.getByRole('link', { name: 'SAM-1' }).click();
  await expect(page).toHaveURL(/#\/task\/SAM-1/);

  await beckon.open(page); // what is said outlives a reload
  await expect(said).toBeVisible();
});
