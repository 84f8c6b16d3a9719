// How a session elsewhere stands, in the words of Mission Control.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';

/** standWords says how a session that asks nothing stands. */
export function standWords(session: beckon.OutsideSession): string {
  if (session.ended > 0) return t('mission.ended');
  if (session.status === '') return t('outside.unknown');
  return t(
    session.status === 'idle'
      ? 'mission.yourTurn'
      : session.status === 'waiting'
        ? 'outside.waiting'
        : 'mission.running',
  );
}
