import { store } from '../state';
import { chimes } from './chimes';

const load = () => import('../ui/chime');

/** Sounds, where the person wants it, when something needs them that did not before. What was there before the page is not news. */
export function chimeWhenNeeded(): void {
  let known: Set<string> | undefined;
  const wants = $derived(store.ready && store.settings.notify.chime !== '');

  $effect(() => {
    if (!store.ready) return;
    const { notify, tellElsewhere } = store.settings;
    const before = known;
    const now = store.wanted.map(({ id }) => id);
    known = new Set([...(before ?? []), ...now]);
    const news = now.filter(
      (id) =>
        before !== undefined && !before.has(id) && (tellElsewhere || store.wayOf(id) === undefined),
    );
    const chime = notify.chime;
    if (news.length > 0 && chimes(notify, new Date()))
      void load().then(({ ring, names }) => {
        const chosen = names.find((name) => name === chime);
        if (chosen !== undefined) return ring(chosen);
      });
  });

  // The first press lets the page be heard, also where it is out of sight by then.
  $effect(() => {
    if (!wants) return;
    const presses = ['pointerdown', 'keydown'];
    let stop = () => {};
    void load().then(({ wake }) => {
      const first = () => {
        stop();
        void wake();
      };
      for (const press of presses) addEventListener(press, first, true);
      stop = () => presses.forEach((press) => removeEventListener(press, first, true));
    });
    return () => stop();
  });
}
