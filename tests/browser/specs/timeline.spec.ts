// The time of a session whole, and what the files were at each moment of it.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

test('moving along the time shows the session and the files of that moment', async ({
  page,
  start,
}) => {
  const beckon = await start(
    'text Looking.\nwrite notes.txt first\nask Keep Span? | Yes | No\nwrite more.txt second\nrun false\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Rename Span', status: 'queued' });
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
    items: [{ labels: ['Yes'], other: '' }],
    verdict: '',
    text: '',
  });
  await beckon.open(page, `#/task/${task!.key}`);
  const log = page.getByRole('log', { name: 'Session' });
  await expect(log).toContainText('Done.', { timeout: patience(20_000) });
  type Line = { moments: { kind: string }[]; commits: unknown[] };
  await expect
    .poll(
      async () =>
        (await beckon.call<Line>(page, 'Timeline', task!.id)).moments.map(({ kind }) => kind),
      { timeout: patience(20_000) },
    )
    .toEqual(['turnBegan', 'asked', 'turnEnded']);

  await page.keyboard.press('g');
  await page.keyboard.press('l');
  const band = page.getByRole('slider', { name: 'Timeline' });
  await expect(band).toHaveAttribute('aria-valuetext', 'now');
  await expect(page.getByText(/^1 of 1 turns, \d of \d calls, /)).toBeVisible();
  await judge(page, 'the timeline of a session');

  // The next wait is the question: its files have what was written before it, and no more.
  await page.keyboard.press('w');
  await expect(band).toHaveAttribute('aria-valuetext', /Waits for you: Keep Span\?$/);
  const files = page.getByRole('region', { name: /^Files at / });
  await expect(files).toContainText(/as of .*, when this was asked: Keep Span\?/);
  await expect(files.getByRole('button', { name: /notes\.txt/ })).toBeVisible();
  await expect(files.getByText('more.txt')).toBeHidden();
  await expect(files).toContainText('first');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/session\/[^/]+\/\d+/);
  await judge(page, 'the files of a moment');

  // What came since is what differs from now.
  await files.getByRole('radio', { name: 'now' }).click();
  await expect(files.getByRole('button', { name: /more\.txt/ })).toBeVisible();
  await expect(files.getByText('notes.txt')).toBeHidden();
  await files.getByRole('radio', { name: 'run’s start' }).click();

  // The first turn has the files with which it began, and the last stop those with which it ended.
  await band.focus();
  await band.press('End');
  await expect(async () => {
    await band.press('ArrowLeft'); // the commit may come after it, or before
    const ended = /: Turn 1 of run 1 has ended$/;
    await expect(band).toHaveAttribute('aria-valuetext', ended, { timeout: 500 });
  }).toPass({ timeout: patience(5000) });
  await expect(files).toContainText(/as of .*, when turn 1 of run 1 ended/);
  await expect(files).toContainText(/since .*, when turn 1 of run 1 began/);
  await expect(files.getByRole('button', { name: /more\.txt/ })).toBeVisible();
  // The arrow keys and a press on the band move the playhead.
  await band.press('Home');
  await expect(files).toContainText(/as of .*, when turn 1 of run 1 began/);
  await expect(files).toContainText('No file differs.');
  const first = await band.getAttribute('aria-valuenow');
  await band.press('ArrowRight');
  await expect(band).not.toHaveAttribute('aria-valuenow', first!);
  const box = (await band.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.999 - 1, box.y + 10);
  await expect(band).not.toHaveAttribute('aria-valuetext', 'now');
  await page.keyboard.press('Escape');
  await expect(band).toHaveAttribute('aria-valuetext', 'now');
  await expect(files).toBeHidden();
  await expect(page).toHaveURL(/#\/task\/SAM-1$/);
});
