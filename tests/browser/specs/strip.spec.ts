// The time of a task's runs above its session: turns and waits, and the way to each.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('the strip shows turns and waits, and a press goes there', async ({ page, start }) => {
  const beckon = await start('text Looking.\nask Keep Span? | Yes | No\ntext Done.');
  const [task] = await beckon.openWith(page, { title: 'Rename Span', status: 'queued' });
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await page.goto(page.url().replace(/#.*/, '') + '#/task/SAM-1');
  const strip = page.getByRole('slider', { name: /^Time of the runs: 1 turn/ });
  const said = expect.poll.bind(expect, () => strip.getAttribute('aria-valuetext'));
  await said().toMatch(/^Waits for you since .*: Keep Span\?$/);
  await judge(page, 'the strip of a task that asks');

  await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
    items: [{ labels: ['Yes'], other: '' }],
    verdict: '',
    text: '',
  });
  await strip.focus();
  await page.keyboard.press('Home');
  await said().toMatch(/^Turn 1, /);
  await page.keyboard.press('ArrowRight');
  await said().toMatch(/waited .* for you: Keep Span\?$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/session\/[^/]+\/\d+/);
  await judge(page, 'the strip of a task that is done');
});
