// Phones under test: contexts of a browser that trusts one authority, which is
// made for the test, and the listener of Beckon's own that has a certificate of it.
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { Beckon } from './beckon';
import { chromium } from './chromium';
import { test as beckonTest, watch } from './fixture';

/** An authority, and a certificate of it for this computer. */
export class Authority {
  readonly dir = mkdtempSync(join(tmpdir(), 'beckon-authority-'));
  readonly cert = join(this.dir, 'leaf.pem');
  readonly key = join(this.dir, 'leaf.key');

  constructor() {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const run = (...args: string[]) =>
      execFileSync('openssl', args, { cwd: this.dir, stdio: 'pipe' });
    run(
      'req',
      '-x509',
      ...curve,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=Beckon test authority',
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-addext',
      'keyUsage=critical,keyCertSign',
    );
    run('req', ...curve, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=localhost');
    writeFileSync(
      join(this.dir, 'leaf.ext'),
      'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n',
    );
    run(
      'x509',
      '-req',
      '-in',
      'leaf.csr',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'leaf.ext',
      '-out',
      'leaf.pem',
    );
  }

  /** The authority's certificate. */
  get ca(): string {
    return readFileSync(join(this.dir, 'ca.pem'), 'utf8');
  }

  /** The hash by which Chromium trusts the certificate, and no other. */
  get spki(): string {
    const key = createPublicKey(readFileSync(this.cert)).export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('base64');
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

interface Workers {
  authority: Authority;
}
interface Options {
  /** Where phones reach Beckon: https://localhost:PORT */
  origin: string;
  /** Opens a browser that is a phone's; it closes with the test. */
  phone: (agent?: string) => Promise<Page>;
}

export const pixel =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A.241105.008) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
export const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

export const test = beckonTest.extend<Options, Workers>({
  authority: [
    async ({}, use) => {
      const authority = new Authority();
      await use(authority);
      authority.remove();
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ authority, launchOptions }, use) => {
      // The shell shows no notifications.
      await use({
        ...launchOptions,
        ...chromium,
        args: [...(chromium.args ?? []), `--ignore-certificate-errors-spki-list=${authority.spki}`],
      });
    },
    { scope: 'worker' },
  ],
  origin: async ({}, use) => {
    await use(`https://localhost:${await freePort()}`);
  },
  args: async ({ authority, origin }, use) => {
    await use([
      '-public',
      `127.0.0.1:${new URL(origin).port}`,
      '-cert',
      authority.cert,
      '-key',
      authority.key,
    ]);
  },
  phone: async ({ browser, offences }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (agent = pixel) => {
      const context = await open(browser, agent);
      contexts.push(context);
      await watch(context, offences);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

function open(browser: Browser, userAgent: string): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    userAgent,
    locale: 'en-US',
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks for a page as a program does that trusts an authority, or none; returns the status. */
export async function status(url: string, ca?: string): Promise<number> {
  const request = get(url, { ...(ca ? { ca } : {}), agent: false });
  const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

/** Switches phones on. */
export async function allowPhones(beckon: Beckon, desk: Page, origin: string): Promise<void> {
  await beckon.call(desk, 'SetPhone', origin);
  await beckon.call(desk, 'SwitchChannel', 'phone', true);
}

/** Pairs a phone and lets it in. */
export async function pair(beckon: Beckon, desk: Page, phone: Page, name = ''): Promise<string> {
  const { link } = await beckon.call<{ link: string }>(desk, 'PairDevice', 'phone');
  await phone.goto(link);
  if (name) await phone.getByLabel('Name of this phone').fill(name);
  await phone.getByRole('button', { name: 'Pair' }).tap();
  await expect(phone.getByRole('heading', { name: 'Confirm on your computer' })).toBeVisible();
  const waiting = (await beckon.call<{ id: string; confirmed: boolean }[]>(desk, 'Devices')).find(
    (d) => !d.confirmed,
  )!;
  await beckon.call(desk, 'ConfirmDevice', waiting.id);
  await expect(phone.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  return waiting.id;
}

export const none = {
  questions: false,
  plans: false,
  commands: false,
  steer: false,
  elsewhere: false,
  lines: false,
};

export { expect };
