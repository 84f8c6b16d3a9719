import { api } from '../bridge';
import { store } from '../state';

/** Asks what leaves this computer; what a frame brings meanwhile is newer. */
export async function loadChannels(): Promise<void> {
  const before = store.channels;
  const now = await api.channels();
  if (store.channels === before) store.channels = now;
}
