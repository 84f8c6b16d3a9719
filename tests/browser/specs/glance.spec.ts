// A task's page shows what the task amounts to at a glance.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('the page of a task draws its context, its wait and its largest changes', async ({
  page,
  start,
}) => {
  const beckon = await start(
    `write docs/large.txt "${'line\\n'.repeat(40)}"\nwrite small.txt "one\\n"\nask Go on? | Yes | No\nsleep 120s`,
  );
  const [task] = await beckon.openWith(page, { title: 'Write', policy: 'wait' });
  await expect(page.getByRole('article', { name: /^SAM-1, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, `#/task/${task!.key}`);
  const glance = page.getByRole('list', { name: 'At a glance' });
  await expect(glance).toContainText(/Context\s*\d+\s%/);
  await expect(glance).toContainText(/Waited for you.*1 question/s);
  const largest = page.getByRole('list', { name: 'Largest changes' });
  await expect(largest.getByRole('listitem').first()).toContainText(/large\.txt\s*docs\s*\+40/);
  await expect(largest.getByRole('listitem').nth(1)).toContainText(/small\.txt\s*\+1/);
  const widths = await largest
    .locator('.added')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  expect(widths[0]! / widths[1]!, 'bars are as wide as what they stand for').toBeGreaterThan(10);
  await judge(page, 'the page of a task, at a glance');
  await largest.getByRole('link', { name: 'Show changes' }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/task/${task!.key}/changes$`));
});
