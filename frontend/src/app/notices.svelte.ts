// The back end's notices as the page tells them: it plays their sound, and shows as a toast what
// no desktop shows.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { spentOf } from '../limits/words';
import { store, theRouter } from '../state';
import { oneLine } from '../text/plain';
import { toasts } from '../ui/toasts.svelte';

const load = () => import('../ui/chime');
const longMs = 12_000;

/** Tells each notice as it was decided. */
export function followNotices(): void {
  const wants = $derived(
    store.ready &&
      (store.settings.notify.chime !== '' ||
        Object.values(store.settings.notify.tell).includes('sound')),
  );

  $effect(() => store.hear(tell));

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

function tell(notice: beckon.Notice): void {
  if (notice.over) return;
  if (notice.chime !== '')
    void load().then(({ ring, names }) => {
      const chosen = names.find((name) => name === notice.chime);
      if (chosen !== undefined) return ring(chosen);
    });
  if (!notice.banner) return;
  if (notice.kind === 'budget' && notice.why === 'news') tellBudget(notice.id);
  if (store.about?.notifications || (notice.why !== 'after' && notice.why !== 'again')) return;
  if (together.push(notice) === 1) setTimeout(tellTogether);
}

/** What came at once, and is said by one toast: there is one at a time. */
const together: beckon.Notice[] = [];

function tellTogether(): void {
  const all = together.splice(0);
  const summary = all.find(({ why }) => why === 'after');
  if (summary)
    tellSummary(summary); // what waits still is among that
  else if (all.length > 1) tellInbox(t('app.stillWaitMany', { n: all.length }), '');
  else if (all[0]) tellAgain(all[0].id);
}

function tellInbox(text: string, question: string): void {
  toasts.show(text, {
    ms: longMs,
    action: { label: t('app.inbox'), run: () => theRouter().go({ page: 'inbox', question }) },
  });
}

/** Says that a budget, `task/SUBJECT/SCOPE`, is nearly used up; a question of one says it by itself. */
function tellBudget(id: string): void {
  const [, subject = '', scope] = id.split('/');
  const budget = store.budgets.get(subject);
  if (scope === undefined || budget === undefined) return;
  const of = store.tasks.get(subject)?.key ?? store.projects.get(subject)?.name ?? '';
  toasts.show(
    t(of ? 'app.budgetNear' : 'app.dayNear', { of: oneLine(of), spent: spentOf(budget) }),
    { ms: longMs },
  );
}

/** Says how much came in the quiet hours. */
function tellSummary({ waiting, others }: beckon.Notice): void {
  const came = [
    waiting > 0 ? t('app.quietWaiting', { n: waiting }) : '',
    others > 0 ? t('app.quietOthers', { n: others }) : '',
  ].filter(Boolean);
  tellInbox(`${t('app.quietOver')} ${came.join(', ')}`, '');
}

/** Says that a question waits for long. */
function tellAgain(id: string): void {
  const question = store.questions.get(id);
  if (!question) return;
  const of = store.tasks.get(question.taskId)?.key ?? oneLine(question.origin);
  tellInbox(t('app.stillWaits', { of }), id);
}
