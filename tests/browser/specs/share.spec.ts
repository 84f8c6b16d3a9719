// A task's session as one page for others: it shows what was said, and does nothing.
import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const secret = `sk-ant-api03-${'abcdefghijklmnop'.repeat(3)}`;

const evil = [
  '</style></pre><script>window.__pwned = 1</script><img src="https://evil.test/p.png" onerror="window.__pwned = 2">',
  '<svg onload="window.__pwned = 3"><a href="javascript:window.__pwned=4">x</a></svg><iframe src="https://evil.test"></iframe>',
  '<style>@import url(https://evil.test/s.css); body { background: url(https://evil.test/b.png) }</style>',
  '<base href="https://evil.test"><meta http-equiv="refresh" content="0; url=https://evil.test"><link rel="stylesheet" href="https://evil.test/l.css">',
  '![p](https://evil.test/q.png) [js](javascript:window.__pwned=5) <b style="position:fixed;inset:0">over it</b>',
  'safe\u202Egnp.exe \u001b[31mred\u001b[0m zero\u200Bwidth \u0000 end',
  '',
  '| a | b |',
  '|:-:|--:|',
  '| 1 | 2 |',
].join('\n');

const line = JSON.stringify({
  type: 'assistant',
  message: {
    id: 'msg_e',
    type: 'message',
    role: 'assistant',
    model: 'opus',
    content: [{ type: 'text', text: evil }],
  },
  parent_tool_use_id: null,
  session_id: 's',
  uuid: '00000000-0000-4000-8000-00000000000e',
});

test('a session is shared as one page that runs and loads nothing', async ({
  page,
  browser,
  start,
}) => {
  const beckon = await start(
    [
      'text # Looking around',
      `run echo ${secret}`,
      'write plan/notes.txt <script>window.__pwned = 6</script>',
      'say @evil',
      'ask Keep Span? | Yes | No',
      'flood 30 200000',
      'text The end of it.',
      `-- evil --\n${line}`,
    ].join('\n'),
  );
  const [task] = await beckon.openWith(page, { title: 'Rename <b>Span</b>', status: 'queued' });
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
    items: [{ labels: ['Yes'], other: '' }],
    verdict: '',
    text: '',
  });
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('log', { name: 'Session' })).toContainText('The end of it.', {
    timeout: patience(20_000),
  });

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Share as one page');
  await page.getByRole('option', { name: 'Share as one page', exact: true }).click();
  const told = page.getByText(/^Exported to \/.*SAM-1-shared\.html/);
  await expect(told).toBeVisible();
  const path = (await told.innerText()).replace('Exported to ', '');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(path).size).toBeLessThanOrEqual(5_000_000);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(secret);
  expect(text, 'the folders of this computer').not.toContain('worktrees/');

  const alone = await browser.newContext({ offline: true, bypassCSP: false });
  const asked: string[] = [];
  const heard: string[] = [];
  alone.on('request', (request) => asked.push(request.url().slice(0, 100)));
  alone.on('console', (message) => heard.push(message.text()));
  alone.on('weberror', (error) => heard.push(error.error().message));
  const shown = await alone.newPage();
  await shown.goto(pathToFileURL(path).href);
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Rename <b>Span</b>');
  await expect(shown.getByText('The end of it.')).toBeVisible();
  await expect(shown.getByText('safe⟨U+202E⟩gnp.exe red zero⟨U+200B⟩width')).toBeVisible();
  await expect(shown.getByRole('note')).toContainText('Left out, for a page of 5 MB at most');
  await expect(shown.getByText(/^Answered in Beckon .*: Yes$/)).toBeVisible();
  await expect(shown.getByText('plan/notes.txt').last()).toBeVisible();
  expect(
    await shown
      .locator('script, iframe, object, embed, form, link, base, [style], [onload]')
      .count(),
  ).toBe(0);
  expect(await shown.locator('style').count()).toBe(1);
  expect(
    await shown.evaluate(() => (globalThis as unknown as { __pwned?: number }).__pwned),
  ).toBeUndefined();
  expect(heard, 'its own policy refuses nothing of it').toEqual([]);

  // The list of contents and the band lead to what they name.
  await shown.getByText('Contents', { exact: true }).click();
  const question = shown.getByRole('link', { name: /^Waited \d+:\d\d, .*: Keep Span\?$/ });
  await question.focus();
  await question.press('Enter');
  await expect(shown.locator(':target')).toContainText('Keep Span?');
  await expect(shown.locator(':target')).toBeInViewport();
  await shown.locator('.band a').first().click();
  await expect(shown).toHaveURL(/#e1-\d+-0$/);
  expect(asked.every((url) => url.startsWith('file:') || url.startsWith('data:'))).toBe(true);
  await alone.close();

  // Axe is put into the page, which its policy would refuse.
  const judged = await browser.newContext({ offline: true, bypassCSP: true });
  const read = await judged.newPage();
  await read.goto(pathToFileURL(path).href);
  await read.getByText('Contents', { exact: true }).click();
  await judge(read, 'a shared page');
  await judged.close();
});
