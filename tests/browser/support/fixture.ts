// What every test has: a way to start Beckon, and a watch over the page that
// fails the test when the page talks to somebody else, breaks its policy,
// throws, or opens one of the browser's dialogs.
import { type BrowserContext, expect, test as base } from '@playwright/test';
import { Beckon } from './beckon';
import { sample, type Sample } from './repo';

interface Fixtures {
  /** The repository beside Beckon. */
  repo: Sample;
  /** What Beckon's environment has besides. */
  env: Record<string, string>;
  /** What it is started with besides. */
  args: string[];
  /** Starts Beckon with scripts for its agent; it ends with the test. */
  start: (...scripts: string[]) => Promise<Beckon>;
  /** What the page did that it may not; checked when the test is over. */
  offences: string[];
}

export const test = base.extend<Fixtures>({
  repo: [sample, { option: true }],
  env: [{}, { option: true }],
  args: [[], { option: true }],
  start: async ({ repo, env, args }, use) => {
    const started: Beckon[] = [];
    await use(async (...scripts) => {
      const beckon = await Beckon.start(scripts, repo, env, args);
      started.push(beckon);
      return beckon;
    });
    for (const beckon of started) await beckon.close();
  },
  offences: [
    async ({ context }, use) => {
      const offences: string[] = [];
      await watch(context, offences);
      await use(offences);
      expect(offences, 'what the page may not do').toEqual([]);
    },
    { auto: true },
  ],
});

/** Writes down what a browser's pages do that they may not. */
export async function watch(context: BrowserContext, offences: string[]): Promise<void> {
  let own = '';
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // The first address that a test opens is Beckon's.
    if (own === '') own = origin;
    if (origin !== own && protocol !== 'data:' && protocol !== 'blob:')
      offences.push(`a request to ${request.url()}`);
  });
  context.on('dialog', (dialog) => {
    offences.push(`the dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('weberror', (error) => offences.push(`the error ${error.error().stack}`));
  context.on('page', (page) => page.on('popup', () => offences.push('a window')));
  await context.exposeFunction(
    'beckonViolation',
    (what: string) => void offences.push(`against the policy: ${what}`),
  );
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const report = (globalThis as unknown as { beckonViolation: (what: string) => void })
        .beckonViolation;
      report(
        `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
}

export { expect };
