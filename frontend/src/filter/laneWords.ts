import { t } from '../i18n/index.svelte';

/** How many cards a column shows, and how many of them need the person; `all` and `allNeeds` count those besides that the filter hides. */
export interface LaneCounts {
  shown: number;
  all: number;
  needs: number;
  allNeeds: number;
}

/** What a column says of itself while a filter hides cards of it. */
export function laneWords(
  name: string,
  { shown, all, needs, allNeeds }: LaneCounts,
): { label: string; count: string; nothing: string; who: string } {
  const hidden = allNeeds - needs;
  return {
    label: t('filter.laneOf', { lane: name, shown, n: all }),
    count: t('filter.of', { shown, all }),
    nothing: all > 0 ? t('filter.nothing', { n: all }) : '',
    who:
      hidden === 0
        ? ''
        : needs === 0
          ? t('filter.needAllHidden', { n: hidden })
          : t('filter.needHidden', { n: needs, hidden }),
  };
}
