import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { settle } from '../support/settle';

/** A step of a script that streams a part of a text. */
function streamed(event: object): string {
  return `say ${JSON.stringify({ type: 'stream_event', event, parent_tool_use_id: null, session_id: 's', uuid: 'u' })}\n`;
}

const delta = (text: string) =>
  streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const begun =
  streamed({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } }) +
  streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
const whole = `say ${JSON.stringify({ type: 'assistant', message: { id: 'm', type: 'message', role: 'assistant', model: 'opus', content: [{ type: 'text', text: 'Half a sentence.' }] }, parent_tool_use_id: null, session_id: 's', uuid: '0000000a-0000-4000-8000-000000000001' })}\n`;

/** Has the page believe that nobody sees it, or that somebody does again. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, 'hidden', { value: now, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test(
  'a sentence that was written while the page was hidden is there once, and one that is cut off goes with its agent',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const beckon = await start(
      `${begun}${delta('Half a ')}expect first\n${delta('sentence.')}${whole}expect second\n${begun}${delta('Never en')}expect third\nkill\n`,
    );
    const [task] = await beckon.openWith(page, { title: 'Write' });
    await beckon.open(page, `#/task/${task!.key}`);
    const session = page.getByRole('log', { name: 'Session' });
    const say = (text: string) => beckon.steer(page, task!.id, text);
    await expect(session).toContainText('Half a');

    await page.reload();
    await expect(session, 'the sentence from its beginning').toContainText('Half a');

    await hide(page, true);
    await say('first');
    await expect
      .poll(async () => JSON.stringify(await beckon.call(page, 'Transcript', task!.id, '', 50)))
      .toContain('Half a sentence.');
    await hide(page, false);
    await expect(session).toContainText('Half a sentence.');
    await expect(session.getByText('Half a')).toHaveCount(1);

    await say('second');
    await expect(session).toContainText('Never en');
    await say('third');
    await expect(session).not.toContainText('Never en');
  },
);

test('who writes many lines keeps the end of the session in sight', async ({ page, start }) => {
  await page.setViewportSize({ width: 960, height: 400 });
  const beckon = await start(
    'text One.\ntext Two.\ntext Three.\ntext Four.\ntext Five.\nexpect never\n',
  );
  const [task] = await beckon.openWith(page, { title: 'Write' });
  await beckon.open(page, `#/task/${task!.key}`);
  const session = page.getByRole('log', { name: 'Session' });
  await expect(session).toContainText('Five.');

  const field = page.locator('.composer textarea');
  await field.focus();
  for (let line = 0; line < 7; line++) {
    await page.keyboard.type('a line');
    await page.keyboard.press('Shift+Enter');
    await settle(page);
    await expect(
      page.getByRole('button', { name: 'To the end' }),
      `after line ${line}`,
    ).toHaveCount(0);
  }
  expect(
    await session.evaluate((list) => list.scrollHeight - list.clientHeight),
    'how far it can be scrolled',
  ).toBeGreaterThan(20);
  expect(
    await session.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop),
    'what is below',
  ).toBeLessThan(1);
});
