import type { beckon } from '../bridge';

/** Whether what needs the person sounds at this moment: the person wants it, and these are no quiet hours. */
export function chimes(notify: beckon.Notify, now: Date): boolean {
  if (notify.chime === '' || !notify.questions) return false;
  const { quietFrom, quietTo } = notify;
  const minute = now.getHours() * 60 + now.getMinutes();
  const quiet =
    quietFrom <= quietTo
      ? quietFrom <= minute && minute < quietTo
      : minute >= quietFrom || minute < quietTo; // they go over midnight
  return !quiet;
}
