import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import type { Beckon, Task } from '../support/beckon';
import { expect, test } from '../support/fixture';

const settled = 30_000;

/** A line of the agent's. */
function said(content: object[], n: number, parent: string | null = null): string {
  const message = { id: `msg_s${n}`, type: 'message', role: 'assistant', model: 'opus', content };
  return JSON.stringify({
    type: 'assistant',
    message,
    parent_tool_use_id: parent,
    session_id: 's',
    uuid: uuid('a', n),
  });
}

/** The line of what a tool gave back. */
function back(id: string, content: unknown, n: number, parent: string | null = null): string {
  const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] };
  return JSON.stringify({
    type: 'user',
    message,
    parent_tool_use_id: parent,
    session_id: 's',
    uuid: uuid('b', n),
  });
}

function uuid(kind: string, n: number): string {
  return `${kind.padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function calls(id: string, name: string, input: object) {
  return { type: 'tool_use', id, name, input };
}

/** A PNG of one grey, as base64. */
function png(width: number, height: number): string {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits of one channel, grey
  const pixels = deflateSync(
    Buffer.alloc((width + 1) * height, 0).map((_, i) => (i % (width + 1) === 0 ? 0 : 128)),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

function crc(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A command that ends when the test says so, by `pass`. */
const wait = (gate: string) => `run until test -e "$HOME/${gate}"; do sleep 0.05; done`;

function pass(beckon: Beckon, gate: string): void {
  writeFileSync(join(beckon.repo.dir, '..', 'home', gate), '');
}

/** A script's steps with the lines that they say. */
function script(steps: string[], lines: Record<string, string>): string {
  return [...steps, ...Object.entries(lines).map(([name, line]) => `-- ${name} --\n${line}`)].join(
    '\n',
  );
}

async function session(page: Page, beckon: Beckon): Promise<{ log: Locator; task: Task }> {
  const [task] = await beckon.openWith(page, { title: 'Talk' });
  await beckon.open(page, `#/task/${task!.key}`);
  return { log: page.getByRole('log', { name: 'Session' }), task: task! };
}

/** The row that has the words. */
const rowOf = (log: Locator, words: string) =>
  log.locator('.virtual-row').filter({ hasText: words }).first();

test('a picture that a tool gave back is read when it comes into view, and is shown large', async ({
  page,
  start,
}) => {
  const one = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: png(900, 600) },
  };
  const far = { type: 'image', source: { type: 'url', url: 'https://evil.test/p.png' } };
  const beckon = await start(
    script(['say @call', 'say @back', 'flood 300 @filler', 'text The end of it.', 'sleep 120s'], {
      call: said([calls('toolu_p', 'Read', { file_path: 'shot.png' })], 1),
      back: back('toolu_p', [one, far], 1),
      filler: said([{ type: 'text', text: 'Line 000000000000 of many.' }], 0),
    }),
  );
  const { log } = await session(page, beckon);
  await expect(log).toContainText('The end of it.', { timeout: settled });
  const reads: string[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/rpc/Picture') && reads.push(request.url()),
  );
  await page.reload();
  await expect(log).toContainText('The end of it.');
  expect(reads, 'nothing is read before it is seen').toEqual([]);

  await log.press('Home');
  const small = log.getByRole('img', { name: /^Picture 1, PNG, \d+ KB$/ });
  await expect(small).toBeVisible();
  await expect
    .poll(() =>
      small.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    )
    .toEqual([900, 600]);
  expect(
    await log.getByRole('img', { name: /^Picture/ }).count(),
    'the one that is elsewhere is not fetched',
  ).toBe(1);
  expect(reads).toHaveLength(1);

  await log.getByRole('button', { name: /^Enlarge: Picture 1/ }).click();
  const large = page.getByRole('dialog', { name: /^Picture 1/ });
  await expect(large.getByRole('img')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(large).toBeHidden();
});

test('a picture that the user sent is in their message', async ({ page, start }) => {
  const beckon = await start('text I begin.\nsleep 120s\nturn\ntext I saw ${images}.\nsleep 120s');
  const { log } = await session(page, beckon);
  await expect(log).toContainText('I begin.', { timeout: settled });
  const field = page.getByLabel('Message to Claude');
  await page.locator('input[type=file]').setInputFiles({
    name: 'screen.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png(300, 200), 'base64'),
  });
  await expect(page.getByRole('img', { name: 'screen.png' })).toBeVisible();
  await field.fill('What is in this?');
  await field.press('Enter');
  const mine = rowOf(log, 'What is in this?');
  await expect(mine.getByRole('img', { name: /^Picture 1, / })).toBeVisible({ timeout: settled });
  expect(
    await mine.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(300);
  await expect(log).toContainText('I saw ');
});

test('a plan stays where it was made, and says how far it is', async ({ page, start }) => {
  const plan = (done: number) => ({
    todos: ['Read', 'Write', 'Test'].map((content, i) => ({
      content,
      activeForm: `${content}ing it`,
      status: i < done ? 'completed' : i === done ? 'in_progress' : 'pending',
    })),
  });
  const lines: Record<string, string> = {};
  for (const done of [0, 2, 3]) {
    lines[`plan${done}`] = said([calls(`toolu_t${done}`, 'TodoWrite', plan(done))], done);
    lines[`kept${done}`] = back(`toolu_t${done}`, 'kept', done);
  }
  const beckon = await start(
    script(
      [
        'say @plan0',
        'say @kept0',
        wait('one'),
        'text Two are done.',
        'say @plan2',
        'say @kept2',
        wait('two'),
        'say @plan3',
        'say @kept3',
        'text All done.',
        'sleep 120s',
      ],
      lines,
    ),
  );
  const { log } = await session(page, beckon);
  const planned = log.getByRole('button', { name: /^Planned/ });
  await expect(planned).toHaveText(/3 steps · Reading it\s*0 of 3 done/, { timeout: settled });
  await planned.click();
  await expect(log.getByRole('listitem')).toHaveText([
    /^In progress:\s*Read$/,
    /^Open:\s*Write$/,
    /^Open:\s*Test$/,
  ]);

  pass(beckon, 'one');
  await expect(planned).toHaveText(/Testing it\s*2 of 3 done/);
  await expect(log.getByRole('listitem')).toHaveText([
    /^Done:\s*Read$/,
    /^Done:\s*Write$/,
    /^In progress:\s*Test$/,
  ]);
  await expect(log).toContainText('Two are done.');
  pass(beckon, 'two');
  await expect(log).toContainText('All done.');
  await expect(planned, 'one line, above what came after it').toHaveText(/3 of 3 done/);
});

test(
  'what a sub-agent does is one line until it is opened, and then stands below it',
  { tag: '@smoke' },
  async ({ page, start }) => {
    const parent = 'toolu_agent';
    const beckon = await start(
      script(
        [
          'text I delegate.',
          'say @begin',
          'say @words',
          'say @look',
          'say @found',
          'say @run',
          wait('one'),
          'say @ran',
          'say @end',
          'text It is known.',
          'sleep 120s',
        ],
        {
          begin: said(
            [
              calls(parent, 'Agent', {
                description: 'Find the greeting',
                prompt: 'Look around',
                subagent_type: 'general-purpose',
              }),
            ],
            1,
          ),
          words: said([{ type: 'text', text: 'I look around quietly.' }], 2, parent),
          look: said([calls('toolu_g', 'Grep', { pattern: 'hello' })], 3, parent),
          found: back('toolu_g', 'src/greet.ts', 4, parent),
          run: said([calls('toolu_r', 'Bash', { command: 'ls src' })], 5, parent),
          ran: back('toolu_r', 'greet.ts', 6, parent),
          end: back(parent, [{ type: 'text', text: 'It is in src/greet.ts' }], 7),
        },
      ),
    );
    const { log } = await session(page, beckon);
    const agent = log.getByRole('button', { name: /Find the greeting/ });
    await expect(agent).toContainText('2 steps', { timeout: settled });
    await expect(agent).toHaveAttribute('aria-expanded', 'false');
    await expect(
      log.getByRole('button', { name: /ls src/ }),
      'the latest step is in sight while it works',
    ).toBeVisible();
    await expect(log).not.toContainText('I look around quietly.');
    pass(beckon, 'one');
    await expect(log).toContainText('It is known.');
    await expect(log.getByRole('button', { name: /ls src/ })).toBeHidden();

    await agent.click();
    const words = rowOf(log, 'I look around quietly.');
    await expect(words.locator('.line.deep')).toBeVisible();
    await expect(rowOf(log, 'ls src').locator('.line.deep')).toBeVisible();
    await expect(rowOf(log, 'It is known.').locator('.line.deep')).toBeHidden();
    await agent.click();
    await expect(words).toBeHidden();
    await page.getByRole('radio', { name: 'Everything' }).click();
    await expect(words).toBeVisible();
  },
);

test('a thought is folded, and says how long it took to who watched it', async ({
  page,
  start,
}) => {
  const beckon = await start(
    `pace: 120ms\nsleep 2s\nthink ${'This is thought about for a good while. '.repeat(8)}\ntext Decided.\nsleep 120s`,
  );
  const { log } = await session(page, beckon);
  await expect(log).toContainText('Decided.', { timeout: settled });
  const thought = log.getByRole('button', { name: /^Thought for [12] s$/ });
  await expect(thought).toHaveAttribute('aria-expanded', 'false');
  await expect(log).not.toContainText('a good while');
  await thought.click();
  await expect(log).toContainText('a good while');
  await page.reload();
  await expect(
    log.getByRole('button', { name: 'Thought', exact: true }),
    'the log does not know how long it was',
  ).toBeVisible();
});

const secret = `sk-ant-api03-${'abcdefghijklmnop'.repeat(3)}`;

test('a run is exported to a page that does nothing, and to JSON, without its secrets', async ({
  page,
  browser,
  start,
}) => {
  const beckon = await start(
    script([`run echo ${secret}`, 'text @evil', 'say @call', 'say @back', 'text The end of it.'], {
      evil: '<script>window.__pwned = 1</script> <img src="https://evil.test/p.png" onerror="window.__pwned = 2"> ![p](https://evil.test/q.png)\n\nSome **bold** words.',
      call: said([calls('toolu_p', 'Read', { file_path: 'shot.png' })], 1),
      back: back(
        'toolu_p',
        [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(60, 40) } }],
        1,
      ),
    }),
  );
  const { log } = await session(page, beckon);
  await expect(log).toContainText('The end of it.', { timeout: settled });
  await page.getByRole('tab', { name: /Runs/ }).click();
  const exported = async (as: string): Promise<string> => {
    await page.getByRole('button', { name: /^More for run 1/ }).click();
    await page.getByRole('menuitem', { name: `Export the run as ${as}` }).click();
    const told = page.getByText(/^Exported to \/.*/).last();
    await expect(told).toContainText(`.${as.toLowerCase()}`);
    return (await told.innerText()).replace('Exported to ', '');
  };
  const html = await exported('HTML');
  const json = await exported('JSON');
  for (const path of [html, json]) {
    expect(statSync(path).mode & 0o777, path).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain(secret);
  }
  const { entries } = JSON.parse(readFileSync(json, 'utf8')) as { entries: { text: string }[] };
  expect(entries.map(({ text }) => text)).toContain('The end of it.');

  const alone = await browser.newContext();
  const asked: string[] = [];
  alone.on('request', (request) => asked.push(request.url().slice(0, 100)));
  const shown = await alone.newPage();
  await shown.goto(pathToFileURL(html).href);
  await expect(shown.getByText('The end of it.')).toBeVisible();
  await expect(shown.locator('strong', { hasText: 'bold' })).toBeVisible();
  await expect
    .poll(() =>
      shown
        .locator('img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth)),
    )
    .toEqual([60]);
  expect(await shown.locator('script, iframe, object, embed, form, link, base').count()).toBe(0);
  expect(
    await shown.evaluate(() => (globalThis as unknown as { __pwned?: number }).__pwned),
  ).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(html).href]);
  await alone.close();
});

test('an entry, a turn and its code are copied as Markdown', async ({ page, context, start }) => {
  const beckon = await start(
    script(['run echo out', 'text @words', 'sleep 120s'], {
      words: 'Some **words**:\n\n```go\nfunc f() {}\n```',
    }),
  );
  const { log } = await session(page, beckon);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: beckon.base });
  await expect(log).toContainText('func f()', { timeout: settled });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copied = async (what: string): Promise<string> => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    const row = rowOf(log, 'func f()');
    await row.hover();
    await row.getByRole('button', { name: 'More for this entry' }).click();
    await page.getByRole('menuitem', { name: what }).click();
    await expect(page.getByText('Copied', { exact: true }).last()).toBeVisible();
    await expect.poll(clipboard).not.toBe('');
    return clipboard();
  };
  expect((await copied('Copy as Markdown')).trim()).toBe(
    'Some **words**:\n\n```go\nfunc f() {}\n```',
  );
  expect((await copied('Copy code')).trim()).toBe('func f() {}');
  const turn = await copied('Copy the whole turn');
  expect(turn).toMatch(
    /^> \*\*You:\*\* [^]*Talk[^]*\*\*Bash\*\* `echo out`\n\n```\nout\n```\n\nSome \*\*words\*\*/,
  );
  expect(await copied('Copy link to here')).toMatch(
    new RegExp(`^${beckon.base}/#/task/SAM-1/session/.+/\\d+`),
  );
});
