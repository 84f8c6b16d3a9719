// A Bot API server with one bot, as far as Settings and one conversation need it. The
// strict one, which holds every rule, is telegramtest of the Go tests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as beckonTest } from './fixture';

export const token = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

interface Button {
  text: string;
  callback_data?: string;
}
export interface Message {
  message_id: number;
  text: string;
  buttons: Button[];
}

const person = { id: 77, is_bot: false, first_name: 'Mira', username: 'mira', language_code: 'en' };
const chat = { id: 77, type: 'private', first_name: 'Mira', username: 'mira' };

export class Telegram {
  /** What stands in the chat. */
  readonly messages = new Map<number, Message>();
  #updates: { update_id: number }[] = [];
  #next = 1;
  #wake = () => {};
  readonly #server: Server = createServer(
    (request, response) => void this.#answer(request, response),
  );

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#wake();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Writes to the bot. */
  type(text: string): void {
    const entities = text.startsWith('/')
      ? [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]!.length }]
      : [];
    this.#happen({
      message: {
        message_id: this.#next++,
        date: Math.floor(Date.now() / 1000),
        from: person,
        chat,
        text,
        entities,
      },
    });
  }

  /** Presses a button of the newest message that has it. */
  press(label: string): void {
    const on = [...this.messages.values()]
      .reverse()
      .find(({ buttons }) => buttons.some(({ text }) => text.includes(label)));
    if (on === undefined)
      throw new Error(`no button ${label} in ${JSON.stringify([...this.messages.values()])}`);
    const data = on.buttons.find(({ text }) => text.includes(label))!.callback_data;
    this.#happen({
      callback_query: {
        id: `q${this.#next++}`,
        from: person,
        chat_instance: 'c',
        data,
        message: { message_id: on.message_id, date: 1, chat, text: on.text },
      },
    });
  }

  get texts(): string[] {
    return [...this.messages.values()].map(({ text }) => text);
  }

  #happen(update: object): void {
    this.#updates.push({ update_id: this.#next++, ...update });
    this.#wake();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, bot, method] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
    const fields =
      chunks.length > 0
        ? await new Response(Buffer.concat(chunks), {
            headers: { 'Content-Type': request.headers['content-type'] ?? '' },
          }).formData()
        : new FormData();
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (bot !== token)
      return void reply(401, { ok: false, error_code: 401, description: 'Unauthorized' });
    reply(200, { ok: true, result: await this.#do(method ?? '', fields) });
  }

  async #do(method: string, fields: FormData): Promise<unknown> {
    const field = (name: string) => String(fields.get(name) ?? '');
    switch (method) {
      case 'getMe':
        return { id: 123456789, is_bot: true, first_name: 'Beckon', username: 'beckon_mira_bot' };
      case 'getUpdates':
        return this.#news(Number(field('offset')), Number(field('timeout')));
      case 'sendMessage':
        return this.#show({
          message_id: this.#next++,
          text: field('text'),
          buttons: buttonsOf(field('reply_markup')),
        });
      case 'editMessageText':
        return this.#show({
          message_id: Number(field('message_id')),
          text: field('text'),
          buttons: buttonsOf(field('reply_markup')),
        });
      default:
        return true;
    }
  }

  #show(message: Message): object {
    this.messages.set(message.message_id, message);
    return { message_id: message.message_id, date: 1, chat, text: message.text };
  }

  async #news(offset: number, seconds: number): Promise<object[]> {
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset);
    if (this.#updates.length === 0 && seconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#updates;
  }
}

function buttonsOf(markup: string): Button[] {
  const rows =
    markup === ''
      ? []
      : ((JSON.parse(markup) as { inline_keyboard?: Button[][] }).inline_keyboard ?? []);
  return rows.flat();
}

/** Tests whose Beckon speaks to a Telegram of their own. */
export const test = beckonTest.extend<{ telegram: Telegram }>({
  env: async ({ telegram }, use) => use({ BECKON_TELEGRAM_SERVER: await telegram.open() }),
  telegram: async ({}, use) => {
    const telegram = new Telegram();
    await use(telegram);
    await telegram.close();
  },
});
