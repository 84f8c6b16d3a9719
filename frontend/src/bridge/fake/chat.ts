// The chats of the fake: queues, what agents can do, and how they are set.
import { BeckonError } from '../errors';
import type * as beckon from '../types';

/** What the fake's chats need of the rest of it. */
export interface Ports {
  run(taskId: string): beckon.Run;
  task(taskId: string): beckon.Task;
  send(event: beckon.Event): void;
  keepRun(run: beckon.Run): void;
}

const abilities: beckon.Abilities = {
  models: [
    { value: 'opus', resolved: 'claude-opus-4', name: 'Opus', description: 'For the hardest work', efforts: ['low', 'medium', 'high'], auto: true },
    { value: 'sonnet', resolved: 'claude-sonnet-4', name: 'Sonnet', description: 'Quick and able', efforts: ['low', 'high'], auto: true },
    { value: 'haiku', resolved: 'claude-haiku-4', name: 'Haiku', description: 'The quickest', efforts: [], auto: false },
  ],
  commands: [
    { name: 'compact', description: 'Replace the conversation by a summary', hint: '[what to keep]' },
    { name: 'clear', description: 'Begin a new conversation', hint: '' },
    { name: 'review', description: 'Review a pull request', hint: '<number>' },
  ],
};

const found = (_: string, typed: string, limit: number) => files.filter((file) => file.toLowerCase().includes(typed.toLowerCase())).slice(0, limit);
const files = ['src/mt940.rs', 'src/balance.rs', 'src/main.rs', 'tests/mt940.rs', 'docs/formats with spaces.md', 'README.md', 'x/\u202egnp.exe'];

/** Chats holds what waits for the fake's agents. */
export class Chats {
  #queues = new Map<string, beckon.Message[]>();
  #images = new Map<string, string>();

  constructor(private readonly ports: Ports) {}

  /** The calls that are about chats, by their names. */
  calls(): Record<string, (...args: never[]) => unknown> {
    return {
      SendMessage: (taskId: string, message: beckon.NewMessage) => this.#send(taskId, message),
      EditMessage: (id: string, { text, images }: beckon.Message) => this.#change(id, (list, i) => (list[i] = { ...list[i]!, text, images })),
      MoveMessage: (id: string, to: number) => this.#change(id, (list, i) => list.splice(to, 0, ...list.splice(i, 1))),
      RemoveMessage: (id: string) => this.#change(id, (list, i) => list.splice(i, 1)),
      KeepImage: ({ name, data }: beckon.NewImage) => this.#keep(name, data),
      Image: (id: string) => this.#images.get(id) ?? '',
      SaveMessageDraft: () => undefined,
      Abilities: () => abilities,
      FindFiles: found,
      FindProjectFiles: found,
      SwitchModel: (taskId: string, model: string) => this.#set(taskId, { model }),
      SwitchMode: (taskId: string, mode: beckon.PermissionMode) => this.#set(taskId, { mode }),
      SwitchEffort: (taskId: string, effort: string) => this.#set(taskId, { effort }),
      ContextUsage: (taskId: string): beckon.ContextUsage => ({ gauge: this.ports.run(taskId).context, parts: [{ name: 'System prompt', tokens: 4100 }, { name: 'System tools', tokens: 12_300 }, { name: 'Messages', tokens: 44_600 }] }),
      ToolServers: (): beckon.ToolServer[] => [
        { name: 'beckon', status: 'connected', error: '', tools: 5 },
        { name: 'tracker', status: 'failed', error: 'connect ECONNREFUSED 127.0.0.1:4010', tools: 0 },
        { name: 'docs', status: 'needs-auth', error: '', tools: 0 },
      ],
      ReconnectServer: () => undefined,
      PreviewRewind: (): beckon.Rewind => ({ possible: true, reason: '', files: ['src/mt940.rs', 'src/balance.rs'], added: 8, removed: 71 }),
      Rewind: (): beckon.Rewind => ({ possible: true, reason: '', files: ['src/mt940.rs', 'src/balance.rs'], added: 8, removed: 71 }),
      Fork: (taskId: string) => this.ports.task(taskId),
    };
  }

  #send(taskId: string, { text, images, manner }: beckon.NewMessage): beckon.Message {
    const busy = this.ports.run(taskId).phase !== 'idle';
    const sent = manner === 'queue' && busy ? 0 : Date.now();
    const message = { id: `m${Date.now()}${Math.random()}`, taskId, text, images: images as beckon.Image[], written: Date.now(), sent };
    this.#put(taskId, [...this.#of(taskId), message]);
    // What is sent is read soon.
    if (sent > 0) setTimeout(() => this.#put(taskId, this.#of(taskId).filter((one) => one.id !== message.id)), 1500);
    return message;
  }

  #change(id: string, what: (list: beckon.Message[], i: number) => unknown): unknown {
    for (const [taskId, queue] of this.#queues) {
      const list = [...queue];
      const i = list.findIndex((message) => message.id === id);
      if (i < 0) continue;
      what(list, i);
      this.#put(taskId, list);
      return list[i];
    }
    throw new BeckonError('conflict', 'the agent has already read this message: conflict', 'messageRead');
  }

  #keep(name: string, data: string): beckon.Image {
    const id = `i${data.length}`;
    this.#images.set(id, `data:image/png;base64,${data}`);
    return { id, name, type: 'image/png', size: data.length };
  }

  #set(taskId: string, how: Partial<beckon.Run>): void {
    this.ports.keepRun({ ...this.ports.run(taskId), ...how });
  }

  #of(taskId: string): beckon.Message[] {
    return this.#queues.get(taskId) ?? [];
  }

  #put(taskId: string, messages: beckon.Message[]): void {
    this.#queues.set(taskId, messages);
    this.ports.send({ queue: { taskId, messages } });
  }
}
