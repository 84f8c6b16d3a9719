// What the back end says of other machines, put among its words: no test has one.
import { expect, type Page } from '@playwright/test';
import type { Beckon, Task } from './beckon';

/** What a page hears of an executor. */
export interface Status {
  executor: {
    id: string;
    name: string;
    kind: string;
    host: string;
    slots: number;
    created: number;
    variables: string[];
    engine: string;
    image: string;
    network: string;
    options: string;
    context: string;
    namespace: string;
    template: string;
    queue: string;
    secret: string;
  };
  health: {
    state: string;
    since: number;
    seen: number;
    answer: number;
    why?: { code: string; said?: string };
    found: {
      system: string;
      arch: string;
      user: string;
      claude: string;
      git: string;
      free: number;
    };
    ask?: Ask;
    changed?: { file: string; line: number };
  };
}

/** What a page hears of what ssh asks. */
export interface Ask {
  id: string;
  kind: string;
  since: number;
  again: boolean;
  host: string;
  address: string;
  key: string;
  fingerprint: string;
  known: string[];
  file: string;
  words: string[];
}

/** Something that ssh asks, of a kind and with what is said otherwise. */
export function ask(id: string, kind: string, more: Partial<Ask> = {}): Ask {
  return {
    id,
    kind,
    since: Date.now(),
    again: false,
    host: '',
    address: '',
    key: '',
    fingerprint: '',
    known: [],
    file: '',
    words: [],
    ...more,
  };
}

/** An executor that answers, but for what is said otherwise. */
export function status(
  name: string,
  health: Partial<Status['health']> = {},
  executor: Partial<Status['executor']> = {},
  there: Partial<Status['health']['found']> = {},
): Status {
  const found = {
    system: 'Linux',
    arch: 'amd64',
    user: 'mira',
    claude: '2.1.197',
    git: '2.47',
    free: 1.4e12,
    login: 'in',
    ...there,
  };
  return {
    executor: {
      id: name,
      name,
      kind: 'ssh',
      host: name,
      slots: 4,
      created: 1,
      variables: [],
      engine: 'podman',
      image: '',
      network: 'engine',
      options: '',
      context: '',
      namespace: '',
      template: '',
      queue: '',
      secret: '',
      ...executor,
    },
    health: {
      state: 'ready',
      since: Date.now(),
      seen: Date.now(),
      answer: 14,
      found,
      ...health,
    },
  };
}

/** Adds a host by its form. */
export async function addHost(page: Page, host: string): Promise<void> {
  await page.getByRole('button', { name: 'Add an executor' }).click();
  await page.getByRole('menuitem', { name: 'Add a host' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a host' });
  await sheet.getByLabel('Host').fill(host);
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
}

type Event = Record<string, unknown>;

/** Puts events among those that a page hears, from when it is opened next. */
export async function whisper(page: Page): Promise<(...events: Event[]) => Promise<void>> {
  let say: ((frame: string) => void) | undefined;
  await page.routeWebSocket(/\/events/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(message));
    say = (frame) => socket.send(frame);
  });
  return async (...events) => {
    await expect.poll(() => say !== undefined).toBe(true);
    // Newer than all that Beckon says, which therefore does not take its place.
    say!(JSON.stringify({ seq: 1e12, whole: false, lost: false, events }));
  };
}

/** A task's run as a page has it, with what is said otherwise. */
export async function runOf(beckon: Beckon, page: Page, task: Task, more: Event): Promise<Event> {
  const frame = await beckon.call<{ events: { run?: Event & { taskId: string } }[] }>(
    page,
    'Attach',
    'browsertests',
  );
  const run = frame.events
    .flatMap((event) => event.run ?? [])
    .filter((one) => one.taskId === task.id)
    .at(-1);
  expect(run, `${task.key} has a run`).toBeDefined();
  return { run: { ...run, ...more } };
}
