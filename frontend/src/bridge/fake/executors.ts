import { BeckonError } from '../errors';
import type * as beckon from '../types';

type Call = (...args: never[]) => unknown;

const found = { system: 'Linux', arch: 'amd64', user: 'mira', claude: '2.1.197', git: '2.47', free: 1.4e12 };
const unknown = { state: 'unknown', since: 0, seen: 0, answer: 0, problem: '', found: { system: '', arch: '', user: '', claude: '', git: '', free: 0 } } as const;

/** Machines that runs execute on. A look takes a moment; of hosts that end in .invalid it finds none. */
export class Executors {
  #all: beckon.ExecutorStatus[] = [];

  constructor(private readonly send: (event: beckon.Event) => void) {}

  calls(): Record<string, Call> {
    return {
      SaveExecutor: (executor: beckon.Executor) => this.#save(executor),
      CheckExecutor: (id: string) => this.#check(id),
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
      return { state: 'ready', since, seen: since, answer: 14, problem: '', found };
    }), 800);
  }

  #put(id: string, health: (executor: beckon.Executor) => Partial<beckon.ExecutorStatus['health']>): void {
    this.#tell(this.#all.map((one) => (one.executor.id === id ? { ...one, health: { ...one.health, ...health(one.executor) } } : one)));
  }

  #tell(all: beckon.ExecutorStatus[]): void {
    this.#all = all;
    this.send({ executors: { all } });
  }
}
