// Who may do what on `beckon serve`: the link signs a browser in, and what
// the browser then sends to other servers of this machine is worth nothing.
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixture';
import { patience } from '../support/patience';

/** A dev server that an agent started: it notes the cookies that it is sent. */
async function otherServer(): Promise<{ server: Server; url: string; cookies: string[] }> {
  const cookies: string[] = [];
  const server = createServer((incoming, reply) => {
    cookies.push(incoming.headers.cookie ?? '');
    reply.setHeader('Content-Type', 'text/html');
    reply.end('<!doctype html><title>Preview</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cookies };
}

/** Sends what a program sends that is no browser, and returns the reply's status; 101 is an open socket. */
function replay(
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, headers, agent: false, timeout: patience(10_000) },
      (reply: IncomingMessage) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      },
    );
    asked.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve(reply.statusCode ?? 0);
    });
    asked.on('timeout', () => asked.destroy(new Error(`${url} does not answer`)));
    asked.on('error', reject);
    asked.end(body);
  });
}

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const json = { 'Content-Type': 'application/json' };

const card = (page: Page) => page.getByRole('article', { name: /SAM-1/ });

test(
  'a server on another port is sent the cookie, and can do nothing with it',
  { tag: '@smoke' },
  async ({ page, context, offences, start }) => {
    const beckon = await start('text Done.');
    await beckon.openWith(page, { title: 'Later', status: 'backlog' });
    const { server, url, cookies } = await otherServer();
    try {
      const preview = await context.newPage();
      await preview.goto(url);
      await preview.close();
    } finally {
      server.close();
    }
    const cookie = cookies[0]!;
    expect(cookie, 'browsers send the cookies of a host to all its ports').toMatch(
      /^beckon-\d+=.{43}/,
    );

    const socket = `${beckon.base}/events?client=abcdefgh12345678`;
    expect(
      await replay(
        `${beckon.base}/rpc/Attach`,
        'POST',
        { ...json, Cookie: cookie },
        '["abcdefgh12345678"]',
      ),
    ).toBe(401);
    expect(
      await replay(
        `${beckon.base}/rpc/AnswerQuestion`,
        'POST',
        { ...json, Cookie: cookie, 'Beckon-Key': cookie.split('=')[1]! },
        '[]',
      ),
    ).toBe(401);
    expect(await replay(socket, 'GET', { ...upgrade, Cookie: cookie })).toBe(401);
    expect(
      await replay(socket, 'GET', {
        ...upgrade,
        Cookie: cookie,
        'Sec-WebSocket-Protocol': 'beckon.guess',
      }),
    ).toBe(401);
    // The same, with what the page has, is let in: so the key is what was missing.
    const key = (await page.evaluate(() => localStorage.getItem('beckon-key')))!;
    expect(
      await replay(
        `${beckon.base}/rpc/Attach`,
        'POST',
        { ...json, Cookie: cookie, 'Beckon-Key': key },
        '["abcdefgh12345678"]',
      ),
    ).toBe(200);
    expect(
      await replay(socket, 'GET', {
        ...upgrade,
        Cookie: cookie,
        'Sec-WebSocket-Protocol': `beckon.${key}`,
      }),
    ).toBe(101);

    const elsewhere = offences
      .splice(0)
      .filter((offence) => !offence.startsWith(`a request to ${url}`));
    expect(elsewhere, 'only the visit goes elsewhere').toEqual([]);
  },
);

test('the page works after a reload and in a second tab, and its address has no secret', async ({
  page,
  context,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await expect(card(page)).toBeVisible();
  expect(page.url()).toBe(`${beckon.base}/`);
  await page.reload();
  await expect(card(page)).toBeVisible();
  const second = await context.newPage();
  await second.goto(beckon.base);
  await expect(card(second)).toBeVisible();
  await second.goBack();
  expect(second.url()).not.toContain('key=');
});

test('a page without its key says what to do, and continues when the link is opened in another tab', async ({
  page,
  context,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page, { title: 'Later', status: 'backlog' });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(
    page.getByText('Signed out. In this browser, open the link that beckon serve printed last'),
  ).toBeVisible();
  await expect(card(page)).toHaveCount(0);

  await beckon.kill();
  await beckon.serve();
  await beckon.open(await context.newPage());
  await expect(card(page)).toBeVisible();
});
