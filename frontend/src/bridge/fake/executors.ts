import { BeckonError } from '../errors';
import type * as beckon from '../types';

type Call = (...args: never[]) => unknown;

const found = { system: 'Linux', arch: 'amd64', user: 'mira', claude: '2.1.197', git: '2.47', free: 1.4e12, login: 'in' } as const;
const unknown = { state: 'unknown', since: 0, seen: 0, answer: 0, problem: '', found: { system: '', arch: '', user: '', claude: '', git: '', free: 0, login: 'unknown' } } as const;

const newKey = (host: string, since: number): beckon.ExecutorAsk => ({
  id: `a${since}`, kind: 'hostKey', since, again: false, host, address: '10.0.4.17', key: 'ED25519',
  fingerprint: 'SHA256:9tXw1n0cQy7u2mVbZk4LrPzE8sHfJ6gDqA3oWvN5iKc', known: [], file: '', words: [],
});

/** Machines that runs execute on. A look takes a moment; of hosts that end in .invalid it finds none, and those that end in .new show a key that nobody knows. */
export class Executors {
  #all: beckon.ExecutorStatus[] = [];
  readonly #known = new Set<string>();

  constructor(private readonly send: (event: beckon.Event) => void) {}

  calls(): Record<string, Call> {
    return {
      SaveExecutor: (executor: beckon.Executor) => this.#save(executor),
      CheckExecutor: (id: string) => this.#check(id),
      AnswerExecutor: (id: string, askId: string, { yes }: beckon.ExecutorReply) => this.#answer(id, askId, yes),
      LeftOnExecutor: (): beckon.ExecutorLeft => ({ worktrees: 3, bytes: 4.1e9, keys: [] }),
      RemoveExecutor: (id: string) => this.#tell(this.#all.filter((one) => one.executor.id !== id)),
    };
  }

  #save(executor: beckon.Executor): beckon.Executor {
    if (!/^[\w.@-]+$/.test(executor.host)) throw new BeckonError('invalid', 'that is no host', 'executorHost', { host: executor.host });
    const known = this.#all.find((one) => one.executor.id === executor.id);
    const saved = { ...executor, id: executor.id || `x${Date.now()}` };
    const status: beckon.ExecutorStatus = { executor: saved, health: known?.health ?? unknown };
    this.#tell(known ? this.#all.map((one) => (one === known ? status : one)) : [...this.#all, status]);
    this.#check(saved.id);
    return saved;
  }

  #check(id: string): void {
    this.#put(id, () => ({ state: 'checking' }));
    setTimeout(() => this.#put(id, ({ host }) => {
      const since = Date.now();
      if (host.endsWith('.invalid')) return { state: 'failed', since, problem: `There is no host ${host}: look for it in your ssh configuration.` };
      if (host.endsWith('.new') && !this.#known.has(host)) return { ask: newKey(host, since) };
      return { state: 'ready', since, seen: since, answer: 14, problem: '', found };
    }), 800);
  }

  #answer(id: string, askId: string, yes: boolean): void {
    const one = this.#all.find(({ executor, health }) => executor.id === id && health.ask?.id === askId);
    if (!one) throw new BeckonError('conflict', 'nothing is asked there any more');
    const { host } = one.executor;
    if (yes) this.#known.add(host);
    const problem = `You said no to what ssh asked, so nothing was sent to ${host}. Try now asks again.`;
    this.#put(id, () => ({ ask: undefined, ...(yes ? {} : { state: 'failed', since: Date.now(), problem }) }));
    if (yes) this.#check(id);
  }

  #put(id: string, health: (executor: beckon.Executor) => Partial<beckon.ExecutorStatus['health']>): void {
    this.#tell(this.#all.map((one) => (one.executor.id === id ? { ...one, health: { ...one.health, ...health(one.executor) } } : one)));
  }

  #tell(all: beckon.ExecutorStatus[]): void {
    this.#all = all;
    this.send({ executors: { all } });
  }
}
