import type { MessageKey } from '../i18n/index.svelte';
import type { Section } from './router.svelte';

/** The pages of the settings, in the order in which they are listed; the first has no section. */
export const settingsPages: readonly { section?: Section; label: MessageKey }[] = [
  { label: 'settings.general' },
  { section: 'agents', label: 'settings.agents' },
  { section: 'executors', label: 'executors.title' },
  { section: 'appearance', label: 'settings.appearance' },
  { section: 'notifications', label: 'settings.notifications' },
  { section: 'elsewhere', label: 'settings.elsewhere' },
  { section: 'remote', label: 'remote.title' },
  { section: 'privacy', label: 'privacy.title' },
  { section: 'keys', label: 'settings.keyboard' },
  { section: 'about', label: 'settings.about' },
];
