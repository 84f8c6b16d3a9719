// An address of the user's is sent a POST when something waits, and nothing before
// it is switched on.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { choose } from '../support/choose';
import { expect, test as base } from '../support/fixture';

interface Sent {
  request: IncomingMessage;
  body: string;
}

/** A receiver as a user may run one. */
class Receiver {
  readonly sent: Sent[] = [];
  status = 204;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.sent.push({ request, body: Buffer.concat(chunks).toString() });
      response.writeHead(this.status).end();
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/secret-topic`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  bodies(): {
    event: string;
    kind?: string;
    task?: string;
    text?: string;
    options?: string[];
    waiting: number;
    title: string;
  }[] {
    return this.sent.map(({ body }) => JSON.parse(body) as never);
  }
}

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const receiver = new Receiver();
    await use(receiver);
    await receiver.close();
  },
});

const ask = 'match: Ask\nask Which part? | Parser | Planner\ntext Done.';

/** Enters the address and has the key of the signatures. */
async function setUp(page: Page, url: string): Promise<string> {
  await page.getByRole('switch', { name: 'Hook', exact: true }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Where the hook sends to' });
  await sheet.getByLabel('Address').fill(url);
  await page.keyboard.press('Enter');
  const key = await page
    .getByRole('dialog', { name: 'The hook is set up' })
    .locator('.key')
    .innerText();
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('switch', { name: 'Hook', exact: true })).toBeChecked();
  return key;
}

test(
  'the hook tells what waits and what is over, and of the question only what was chosen',
  { tag: '@smoke' },
  async ({ page, start, receiver }) => {
    const beckon = await start(ask);
    const url = await receiver.open();
    await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('main').getByText('Which part?').first()).toBeVisible();
    expect(receiver.sent, 'before it is on').toEqual([]);

    let asked = 0;
    page.on(
      'request',
      (request) => void (asked += Number(request.url().endsWith('/rpc/Channels'))),
    );
    await beckon.open(page, '#/settings/privacy');
    await expect(page.getByRole('switch', { name: 'Hook', exact: true })).not.toBeChecked();
    const key = await setUp(page, url);
    expect(asked, 'what leaves is asked for once; the feed brings the rest').toBe(1);
    await expect
      .poll(() =>
        receiver.bodies().map(({ event, task, waiting, title, text, options }) => ({
          event,
          task,
          waiting,
          title,
          text,
          options,
        })),
      )
      .toEqual([{ event: 'asked', task: 'SAM-1', waiting: 1, title: 'SAM-1 asks' }]);
    expect(receiver.sent[0]!.body, 'no word of the question').not.toMatch(/Which part|Parser/);
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(receiver.sent[0]!.request.headers['beckon-signature']),
    )!;
    expect(
      createHmac('sha256', key).update(`${time}.${receiver.sent[0]!.body}`).digest('hex'),
    ).toBe(mac);

    await page
      .getByRole('switch', { name: 'Hook: The question’s text and options' })
      .press('Enter');
    await expect(
      page.getByRole('switch', { name: 'Hook: The question’s text and options' }),
    ).toBeChecked();
    await beckon.open(page, '#/inbox');
    await page.waitForTimeout(newcomer);
    await page.keyboard.press('1');
    await expect
      .poll(() => receiver.bodies().map(({ event, text }) => ({ event, text })))
      .toEqual([{ event: 'asked' }, { event: 'settled', text: 'Which part?' }]);

    await beckon.open(page, '#/settings/privacy');
    const row = page.getByRole('row', { name: /Hook/ });
    await expect(row).toContainText(/\d\d:\d\d/);
    await expect(row, 'the address may be a secret').not.toContainText('secret-topic');
    await page.getByRole('button', { name: 'Switch everything off' }).press('Enter');
    await expect(page.getByRole('switch', { name: 'Hook', exact: true })).not.toBeChecked();
  },
);

test('an address that refuses is said, and what waits comes once it takes it', async ({
  page,
  start,
  receiver,
}) => {
  const beckon = await start(ask);
  const url = await receiver.open();
  receiver.status = 500;
  await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
  await beckon.open(page, '#/settings/privacy');
  await setUp(page, url);
  const row = page.getByRole('row', { name: /Hook/ });
  await expect(row).toContainText('Refused: HTTP 500 · 1 message waits');
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'The address refused the test (HTTP 500)',
  );
  receiver.status = 204;
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await expect(page.getByText('The address took the test.')).toBeVisible();
  expect(receiver.bodies().at(-1)).toMatchObject({
    event: 'test',
    title: 'A test from Beckon: this address works',
  });

  const hook = page.getByRole('switch', { name: 'Hook', exact: true });
  await hook.press('Enter');
  await expect(hook).not.toBeChecked();
  await hook.press('Enter');
  await expect
    .poll(() => receiver.bodies().filter(({ event }) => event === 'asked').length)
    .toBeGreaterThan(1);
  await expect(row).not.toContainText('message waits');
});

test('what is no address is refused with a reason, and what was typed stays', async ({
  page,
  start,
}) => {
  const beckon = await start('text Nothing.');
  await beckon.openWith(page);
  await beckon.open(page, '#/settings/privacy');
  await page.getByRole('button', { name: 'Enter an address…' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Where the hook sends to' });
  await sheet.getByLabel('Address').fill('https://host/#part');
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('alert')).toHaveText(
    'This is no address of the form https://host/path. Nothing was changed.',
  );
  await expect(sheet.getByLabel('Address')).toHaveValue('https://host/#part');
  await sheet.getByLabel('Address').fill('http://169.254.169.254/latest');
  await choose(sheet.getByLabel('What runs there'), 'ntfy');
  await sheet.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByRole('switch', { name: 'Hook', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    '169.254.169.254 is no address that Beckon sends to',
  );
});
