import { api, type beckon } from '../bridge';
import { moment } from '../i18n/format';
import { t } from '../i18n/index.svelte';

/** Who may answer away from the desk. */
class Devices {
  all = $state.raw<beckon.Device[]>([]);

  async load(): Promise<void> {
    this.all = await api.devices();
  }

  /** Gives rights, or takes them. What cannot be kept is thrown, and shown as it is. */
  async edit(device: beckon.Device, rights: beckon.Rights): Promise<void> {
    try {
      await api.editDevice(device.id, rights);
    } finally {
      await this.load();
    }
  }

  /** Sets what comes to a chat; an empty list is everything. */
  async show(device: beckon.Device, projects: string[], kinds: string[]): Promise<void> {
    try {
      await api.showDevice(device.id, projects, kinds);
    } finally {
      await this.load();
    }
  }

  async remove(device: beckon.Device): Promise<void> {
    try {
      await api.removeDevice(device.id);
    } finally {
      await this.load();
    }
  }
}

export const devices = new Devices();

/** What is known of a device in a line. */
export function aboutDevice(d: beckon.Device, now: number): string {
  const last = d.last > 0 ? t('remote.last', { time: moment(d.last, now) }) : t('remote.noAnswer');
  const what =
    d.channel === 'phone' ? 'remote.phonePage' : d.private ? 'remote.private' : 'remote.group';
  const push = d.push ? [t('remote.withPush')] : [];
  return [t(what), ...push, t('remote.since', { time: moment(d.since, now) }), last].join(', ');
}
