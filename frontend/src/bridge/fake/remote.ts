import type * as beckon from '../types';

type Call = (...args: never[]) => unknown;

const minute = 60_000;
const rights: beckon.Rights = { questions: true, plans: false, commands: false, steer: false, elsewhere: false, lines: false };
const device = { channel: 'phone', private: true, rights, push: false, apart: 0, projects: [], kinds: [] } as const;
const state = { shape: '', chosen: [], byRight: [], last: 0, waiting: 0, refused: 0, refusedAt: 0, trouble: '', detail: '' } as const;

/** What leaves this computer, and who may answer from elsewhere. A phone that is to be paired comes after a while. */
export class Remote {
  #on = false;
  #origin = '';
  #devices: beckon.Device[];

  constructor(private readonly send: (event: beckon.Event) => void) {
    const now = Date.now();
    this.#devices = [{ ...device, projects: [], kinds: [], id: 'd1', name: 'Pixel 9', since: now - 5 * 1440 * minute, last: now - 38 * minute, seen: now - minute, confirmed: true, push: true }];
  }

  calls(): Record<string, Call> {
    return {
      Channels: () => this.#channels(),
      Phone: () => this.#setup(),
      SetPhone: (origin: string) => ((this.#origin = origin), this.#setup()),
      SwitchChannel: (channel: beckon.Channel, on: boolean) => {
        if (channel === 'phone') this.#on = on;
        this.#tell();
      },
      PairDevice: () => this.#pair(),
      CancelPairing: () => undefined,
      AllowPairing: () => undefined,
      Devices: () => this.#devices,
      ConfirmDevice: (id: string) => this.#put(id, { confirmed: true }),
      EditDevice: (id: string, given: beckon.Rights) => this.#put(id, { rights: given }),
      RemoveDevice: (id: string) => {
        this.#devices = this.#devices.filter((d) => d.id !== id);
        this.#tell();
      },
    };
  }

  #setup(): beckon.PhoneSetup {
    return { origin: this.#origin, port: 23817, addr: this.#on ? '127.0.0.1:23817' : '', public: '' };
  }

  #pair(): beckon.Pairing {
    setTimeout(() => {
      const now = Date.now();
      this.#devices = [...this.#devices, { ...device, projects: [], kinds: [], id: `d${now}`, name: 'iPhone, Mira', since: now, last: 0, seen: now, confirmed: false }];
      this.#tell();
    }, 3000);
    return { code: 'K7QF2M9D', link: `${this.#origin}/#pair=K7QF2M9D`, until: Date.now() + 5 * minute, qr: 'M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 9h3v3h-3z', size: 21 };
  }

  #put(id: string, change: Partial<beckon.Device>): void {
    this.#devices = this.#devices.map((d) => (d.id === id ? { ...d, ...change } : d));
    this.#tell();
  }

  #channels(): beckon.Channels {
    const part = (channel: beckon.Channel, on: boolean, to: string): beckon.ChannelState => ({ ...state, chosen: [], channel, on, to, always: ['kind', 'key'], optional: [], byRight: [] });
    return { all: [part('phone', this.#on, this.#origin), part('push', false, ''), part('telegram', false, ''), part('hook', false, '')], inFile: false, asking: this.#devices.filter((d) => !d.confirmed) };
  }

  #tell(): void {
    this.send({ channels: this.#channels() });
  }
}
