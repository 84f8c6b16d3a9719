// A phone is paired, answers, and is let go; what it says arrives once, however
// its network is.
import type { Page, Response } from '@playwright/test';
import { newcomer } from '../support/beckon';
import { choose } from '../support/choose';
import { judge } from '../support/judge';
import { allowPhones, expect, iphone, none, pair, status, test } from '../support/phone';

const ask = 'match: Ask\nask Which part?|Parser|Planner\ntext It is ${answer}.';
/**
 * Has the worker note when it has shown a notification, and returns what waits for that.
 * Who asks Chromium for those that are shown while one is about to be has it forget that
 * one: it is noted before it is drawn.
 */
async function showing(hand: Page): Promise<() => Promise<void>> {
  type Noting = { registration: ServiceWorkerRegistration; shown: Promise<void> };
  const [worker] = hand.context().serviceWorkers();
  await worker!.evaluate(() => {
    const noting = globalThis as unknown as Noting;
    const show = noting.registration.showNotification.bind(noting.registration);
    noting.shown = new Promise((resolve, reject) => {
      noting.registration.showNotification = async (...all) => show(...all).then(resolve, reject);
    });
  });
  return () => worker!.evaluate(() => (globalThis as unknown as Noting).shown);
}

/** Has the push service say something, and sees what is shown of it. */
async function pushed(hand: Page, origin: string): Promise<void> {
  await hand.context().grantPermissions(['notifications'], { origin });
  const session = await hand.context().newCDPSession(hand);
  const registered = new Promise<string>((resolve) => {
    session.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId),
    );
  });
  await hand.evaluate(async () => void (await navigator.serviceWorker.ready));
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const say = (message: object) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(message),
    });
  const shown = () =>
    hand.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ tag, title, body }) =>
        `${tag}: ${title} ${body}`.trim(),
      ),
    );
  const shows = await showing(hand);
  await say({ id: 'q-1', key: 'SAM-1', kind: 'ask', title: 'SAM-1 asks', text: 'Which part?' });
  await shows();
  await expect.poll(shown).toEqual(['q-1: SAM-1 asks Which part?']);
  await say({ id: 'q-1', key: 'SAM-1', kind: 'ask', title: 'SAM-1 has its answer', close: true });
  await expect.poll(shown, 'what is over goes').toEqual([]);
}

const inbox = (page: Page) => page.getByRole('region', { name: 'Waiting for you' });
const answered = (page: Page) => page.getByRole('region', { name: 'Answered today' });

/** Taps an answer that has been there for long enough to be meant. */
async function tap(hand: Page, name: string | RegExp): Promise<void> {
  await expect(hand.getByRole('radio', { name })).toBeVisible();
  await hand.waitForTimeout(newcomer);
  await hand.getByRole('radio', { name }).tap();
}

test(
  'a phone is paired at the desk, answers, and the turn carries on',
  { tag: '@smoke' },
  async ({ page, phone, origin, authority, start }) => {
    const beckon = await start(ask);
    const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
    await beckon.open(page, '#/settings/remote');
    await page.getByLabel('Address').fill(`${origin}/`);
    await page.getByRole('switch', { name: 'Allow answers from paired phones' }).press('Enter');
    await page.getByLabel('Address').press('Enter');
    await expect(page.getByText(/tailscale serve --bg 127\.0\.0\.1:\d+/)).toBeAttached();
    await expect
      .poll(() => status(origin, authority.ca).catch(() => 0), 'a stranger is not let in')
      .toBe(401);
    await expect(
      status(origin),
      'who does not know the authority does not trust it',
    ).rejects.toThrow(/verify|self-signed/);

    await page.getByRole('button', { name: 'Show a code' }).first().press('Enter');
    await expect(
      page.getByRole('img', { name: 'The code, as a picture for a camera' }),
    ).toBeVisible();
    const code = await page.locator('.code code').innerText();

    const hand = await phone();
    await hand.goto(origin);
    await expect(hand.getByRole('heading', { name: 'Pair this phone' })).toBeVisible();
    await expect(hand.getByLabel('Name of this phone')).toHaveValue('Pixel 9');
    await judge(hand, 'pairing');
    await hand.getByLabel('Code').fill('0000-0000');
    await hand.getByRole('button', { name: 'Pair' }).tap();
    await expect(hand.getByRole('alert')).toContainText('This code is wrong');
    await hand.goto(`${origin}/#pair=${code.replace('-', '')}`);
    await expect(hand).toHaveURL(`${origin}/`);
    await hand.getByRole('button', { name: 'Pair' }).tap();
    await expect(hand.getByRole('heading', { name: 'Confirm on your computer' })).toBeVisible();
    await judge(hand, 'waiting to be confirmed');

    await beckon.open(page, '#/');
    const asking = page.getByRole('region', { name: 'A phone asks to be let in' });
    await expect(asking).toContainText('Pixel 9');
    await asking.getByRole('button', { name: 'Confirm Pixel 9' }).press('Enter');
    await expect(asking).toBeHidden();

    await expect(hand.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    await expect(hand).toHaveTitle('(1) Beckon');
    await judge(hand, 'the phone’s inbox');
    await inbox(hand)
      .getByRole('link', { name: /Which part/ })
      .tap();
    await expect(hand.getByRole('radio', { name: /Planner/ })).toBeVisible();
    await judge(hand, 'a question');
    const send = hand.getByRole('button', { name: 'Send answer' });
    await expect(send).toBeDisabled();
    await tap(hand, /Parser/); // one tap is all
    await expect(
      hand.getByRole('status').filter({ hasText: `Sent. ${task!.key} carries on` }),
    ).toBeVisible();
    await hand.getByRole('button', { name: /^Undo/ }).tap();
    await inbox(hand)
      .getByRole('link', { name: /Which part/ })
      .tap();
    await expect(
      hand.getByRole('radio', { name: /Parser/ }),
      'what was taken back stands as it was filled',
    ).toBeChecked();
    await tap(hand, /Planner/);
    await expect(answered(hand)).toContainText('Planner');
    await expect(answered(hand)).toContainText('from here');

    await beckon.open(page, `#/task/${task!.key}`);
    await expect(page.getByRole('log')).toContainText('It is Planner.');
    await beckon.open(page, '#/inbox');
    await expect(page.getByRole('navigation', { name: 'Questions' })).toContainText('from Pixel 9');

    await beckon.open(page, '#/settings/privacy');
    await expect(
      page.getByRole('row').filter({ hasText: origin }),
      'the wrong code, and not that the page was opened',
    ).toContainText(/1 attempt refused, at \d\d:\d\d/);
  },
);

test('of two phones one answers, the other reads who did, and one that is removed sees nothing', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const beckon = await start(ask);
  await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
  await allowPhones(beckon, page, origin);
  const [one, other] = [await phone(), await phone(iphone)];
  const id = await pair(beckon, page, one);
  await pair(beckon, page, other, 'Mira’s iPhone');
  for (const hand of [one, other]) {
    await inbox(hand)
      .getByRole('link', { name: /Which part/ })
      .tap();
  }
  await other.getByRole('radio', { name: /Parser/ }).press(' '); // a key chooses, and sends nothing
  await expect(other.getByRole('radio', { name: /Parser/ })).toBeChecked();
  await tap(one, /Planner/);
  await one.evaluate(() => dispatchEvent(new Event('pagehide'))); // leaving the page sends at once
  await expect(other.getByText('Answered from Pixel 9: Planner')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Send answer' })).toBeHidden();
  await judge(other, 'a question that somebody else answered');

  await beckon.call(page, 'RemoveDevice', id);
  await expect(one.getByRole('heading', { name: 'This phone was removed' })).toBeVisible();
  await judge(one, 'removed');
  expect(await one.evaluate(() => Object.keys(localStorage)), 'nothing is left on it').toEqual([]);
  await one.reload();
  await expect(one.getByRole('heading', { name: 'Pair this phone' })).toBeVisible();
});

test('the phone’s first load is light, and nothing of what Beckon says is kept by its worker', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const beckon = await start('text Done.');
  await beckon.openWith(page);
  await allowPhones(beckon, page, origin);
  const hand = await phone();
  const responses: Response[] = [];
  hand.on('response', (response) => responses.push(response));
  await hand.goto(origin);
  await expect(hand.getByRole('heading', { name: 'Pair this phone' })).toBeVisible();
  await hand.waitForLoadState('networkidle');
  let bytes = 0;
  for (const response of responses) {
    if (/javascript|css|html/.test(response.headers()['content-type'] ?? ''))
      bytes += (await response.request().sizes()).responseBodySize;
  }
  console.log(`first load of the phone: ${Math.round(bytes / 1024)} KB`);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes, 'bytes of code until the page shows').toBeLessThanOrEqual(64 * 1024);
  await pair(beckon, page, hand);
  const kept = await hand.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const [name = ''] = await caches.keys();
    return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/');
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);
});

test('what is said without a network is kept, over a restart, and sent once, or told to be too late', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const beckon = await start(
    'match: Ask\nask Which part?|Parser|Planner\nask And where?|Here|There\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
  await allowPhones(beckon, page, origin);
  const hand = await phone();
  await pair(beckon, page, hand);
  await pushed(hand, origin);
  await inbox(hand)
    .getByRole('link', { name: /Which part/ })
    .tap();
  await hand.context().setOffline(true);
  await expect(hand.getByText(/is asleep or out of reach/)).toBeVisible();
  await tap(hand, /Planner/);
  await expect(hand.getByText(/Kept\. It leaves when/)).toBeVisible();
  await hand.reload(); // from what the service worker keeps
  await expect(hand.getByText(/What you said is kept here/)).toBeVisible();
  await expect(inbox(hand)).toContainText('on its way');
  await judge(hand, 'out of reach');

  const posts: string[] = [];
  hand
    .context()
    .on(
      'request',
      (request) =>
        void (request.method() === 'POST' && posts.push(new URL(request.url()).pathname)),
    );
  await hand.context().setOffline(false);
  await expect(answered(hand)).toContainText('Planner');
  await inbox(hand)
    .getByRole('link', { name: /And where/ })
    .waitFor();
  const [question] = await beckon.questions(page, task!);
  expect(question!.answer?.items[0]?.labels).toEqual(['Planner']);
  expect(posts).toEqual([`/api/question/${question!.id}/answer`]);

  await inbox(hand)
    .getByRole('link', { name: /And where/ })
    .tap();
  await hand.context().setOffline(true);
  await expect(hand.getByText(/is asleep or out of reach/)).toBeVisible();
  await tap(hand, 'There');
  await expect(hand.getByText(/Kept\. It leaves when/)).toBeVisible();
  const second = (await beckon.questions(page, task!)).find(
    ({ settlement }) => settlement === 'open',
  )!;
  await beckon.call(page, 'AnswerQuestion', second.id, {
    items: [{ labels: ['Here'], other: '' }],
    verdict: '',
    text: '',
    by: '',
    at: 0,
  });
  await hand.context().setOffline(false);
  await expect(hand.getByRole('alert')).toContainText(
    `Your answer to ${task!.key} came too late. Answered at the desk: Here`,
  );
  await expect(hand.getByRole('alert')).toContainText('You said: There');
});

test('a phone does what it may, and what destroys takes two presses', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const beckon = await start(
    'match: Ask\npermit Bash {"command":"rm -rf build","description":"To begin clean"}\ntext It was ${answer}.\nask Go on?|Yes|No\ntext Done.',
  );
  const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
  await allowPhones(beckon, page, origin);
  const hand = await phone();
  const id = await pair(beckon, page, hand);
  await inbox(hand)
    .getByRole('link', { name: /rm -rf build/ })
    .tap();
  await expect(
    hand.getByText(/This phone may not allow commands\. It waits for you at/),
  ).toBeVisible();
  await expect(hand.getByRole('radio')).toHaveCount(0);
  await judge(hand, 'a command that this phone may not allow');

  await beckon.call(page, 'EditDevice', id, {
    ...none,
    questions: true,
    commands: true,
    steer: true,
    lines: true,
  });
  await tap(hand, /Allow once/);
  await hand.getByRole('button', { name: 'Last lines' }).tap();
  await judge(hand, 'a command that destroys');
  await tap(hand, /Allow once/);
  await hand.getByRole('button', { name: 'Press again to allow' }).tap();
  await hand.evaluate(() => dispatchEvent(new Event('pagehide')));
  await expect(answered(hand)).toContainText('Allow once');
  await inbox(hand).getByRole('link', { name: /Go on/ }).tap();

  await hand.getByRole('button', { name: 'Message' }).tap();
  await hand.getByLabel(`Message to ${task!.key}`).fill('Keep the cache');
  await hand.getByRole('button', { name: 'Send', exact: true }).tap();
  await hand.evaluate(() => dispatchEvent(new Event('pagehide')));
  await beckon.open(page, `#/task/${task!.key}`);
  await expect(page.getByRole('main')).toContainText('Keep the cache');

  await hand.getByRole('button', { name: /^Settings/ }).tap();
  const sheet = hand.getByRole('dialog', { name: 'Pixel 9' });
  await expect(sheet).toContainText('allow commands');
  await judge(hand, 'the phone’s settings');
  await sheet.getByRole('button', { name: 'Forget this phone' }).tap();
  await sheet.getByRole('button', { name: 'Press again to forget it' }).tap();
  await expect(hand.getByRole('heading', { name: 'Pair this phone' })).toBeVisible();
  await expect.poll(() => beckon.call(page, 'Devices')).toEqual([]);
});

test('a plan, a form, the clock and the end of a run go from a phone', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const schema = {
    type: 'object',
    required: ['zone'],
    properties: {
      zone: { type: 'string', title: 'Zone' },
      keep: { type: 'boolean', title: 'Keep it' },
      area: { type: 'string', title: 'Area', enum: ['eu', 'us'] },
    },
  };
  const beckon = await start(
    `match: Ask\nplan Read, then **write**\ntext It is: \${answer}\nelicit "Where does it go?" ${JSON.stringify(schema)}\nask Go on?|Yes|No\ntext Done.`,
  );
  const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'proceed' });
  await allowPhones(beckon, page, origin);
  const hand = await phone();
  const id = await pair(beckon, page, hand);
  await beckon.call(page, 'EditDevice', id, { ...none, questions: true, plans: true, steer: true });
  const leave = () => hand.evaluate(() => dispatchEvent(new Event('pagehide')));
  const answerTo = async (kind: string) =>
    (await beckon.questions(page, task!)).find((one) => one.kind === kind)?.answer;

  await inbox(hand)
    .getByRole('link', { name: /Read, then/ })
    .tap();
  await tap(hand, /Request changes/);
  await hand.getByLabel('What should change?').fill('Read less');
  await judge(hand, 'a plan');
  await hand.getByRole('button', { name: 'Request changes' }).tap();
  await leave();
  await expect.poll(() => answerTo('plan')).toMatchObject({ verdict: 'deny', text: 'Read less' });

  await inbox(hand)
    .getByRole('link', { name: /Where does it go/ })
    .tap();
  await expect(hand.getByLabel('Zone')).toBeVisible();
  expect(
    await hand.locator('.field').allInnerTexts(),
    'the fields are in the order of the server',
  ).toEqual([
    expect.stringMatching(/^Zone/),
    expect.stringMatching(/^Keep it/),
    expect.stringMatching(/^Area/),
  ]);
  await hand.getByLabel('Zone').fill('north');
  await choose(hand.getByLabel('Area'), 'us');
  await judge(hand, 'a form');
  await hand.getByRole('button', { name: 'Send', exact: true }).tap();
  await leave();
  await expect
    .poll(async () => JSON.parse((await answerTo('elicitation'))?.content || '{}') as object)
    .toMatchObject({ zone: 'north', area: 'us' });

  await inbox(hand).getByRole('link', { name: /Go on/ }).tap();
  await hand.getByRole('button', { name: 'Hold' }).tap();
  const clock = page.getByRole('timer').first();
  await beckon.open(page, '#/inbox');
  await expect(clock, 'the desk sees it held').toContainText('Held');
  await hand.getByRole('button', { name: 'Resume' }).tap();
  await expect(clock).not.toContainText('Held');
  await hand.getByRole('button', { name: 'Stop' }).tap();
  await hand.getByRole('button', { name: 'Press again to stop' }).tap();
  await expect(hand.getByText(`Stopped ${task!.key}`)).toBeVisible();
  await expect(hand.getByText('This question is no longer waiting.')).toBeVisible();
});

test('that a run was stopped is said, too, where its end is heard before the response', async ({
  page,
  phone,
  origin,
  start,
}) => {
  const beckon = await start('match: Ask\nask Go on?|Yes|No\ntext Done.');
  const [task] = await beckon.openWith(page, { title: 'Ask before', policy: 'wait' });
  await allowPhones(beckon, page, origin);
  const hand = await phone();
  const id = await pair(beckon, page, hand);
  await beckon.call(page, 'EditDevice', id, { ...none, questions: true, steer: true });
  await inbox(hand).getByRole('link', { name: /Go on/ }).tap();
  await hand.route('**/stop', async (route) => {
    await beckon.call(page, 'Stop', task!.id);
    await expect(hand.getByText('This question is no longer waiting.')).toBeVisible();
    await route.fulfill({ json: {} });
  });
  await hand.getByRole('button', { name: 'Stop' }).tap();
  await hand.getByRole('button', { name: 'Press again to stop' }).tap();
  await expect(hand.getByText(`Stopped ${task!.key}`)).toBeVisible();
});
