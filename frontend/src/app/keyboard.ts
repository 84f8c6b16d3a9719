import { api, transport } from '../bridge';
import {
  actsAround,
  attempt,
  doing,
  isTyping,
  offerKey,
  redo,
  sheets,
  store,
  theRouter,
  wanted,
  type Does,
  type Route,
} from '../state';
import { prefix } from '../state/keymap';
import { keyOf } from './keys';
import { undoLast } from './undoing';

const prefixMs = 1200;
const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph'];

/** What only the page's frame can do. */
type Frame = Pick<Does<'everywhere'>, 'newTask' | 'sidebar' | 'back'>;

/** Listens to the page's keys until the returned function is called: those everywhere are heard where no place within knows them. */
export function listenToKeys(frame: Frame): () => void {
  const everywhere = doing('everywhere', {
    ...frame,
    answerNext,
    reviewNext,
    undo: () => void undoLast(),
    redo: () => void redo(),
    palette: () => sheets.palette(),
    keys: () => sheets.keys(),
    search: () => sheets.search(),
    inbox: () => go({ page: 'inbox', question: '' }),
    mission: () => go({ page: 'mission', key: '' }),
    board: () => go({ page: 'board', project: '' }),
    archive: () => go({ page: 'archive', find: '' }),
    decisions: () => go({ page: 'decisions' }),
    numbers: () => go({ page: 'numbers' }),
    settings: () => go({ page: 'settings', project: '' }),
    quit,
  });
  let before = '';
  let beforeAt = 0;

  function act(cap: string, event: KeyboardEvent): boolean {
    const around = actsAround(cap, store.settings.singleKeys);
    const done =
      offerKey(cap, event, document.activeElement, around) || (!around && everywhere(cap, event));
    if (done) event.preventDefault();
    return done;
  }

  function keydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || modifiers.includes(event.key)) return;
    const now = situation(event);
    if (!now.typing && !now.dialog && wanted.type(event)) return event.preventDefault();
    const cap = keyOf(event, now);
    const first = event.timeStamp - beforeAt < prefixMs ? before : '';
    before = '';
    if (cap === '' || (first !== '' && act(`${first}>${cap}`, event))) return;
    if (cap === prefix && store.settings.singleKeys) {
      before = prefix;
      beforeAt = event.timeStamp;
    } else act(cap, event);
  }

  addEventListener('keydown', keydown);
  return () => removeEventListener('keydown', keydown);
}

function go(route: Route): void {
  theRouter().go(route);
}

function quit(): boolean {
  if (transport().desktop === undefined) return false;
  void attempt(() => api.quit('ask'));
  return true;
}

function situation(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    typing: isTyping(event.target),
    dialog: document.querySelector('dialog[open]') !== null,
    control: target?.closest('button, a[href], summary, [role="switch"], [role="tab"]') != null,
  };
}

/** Shows what presses most, or the one after the one shown. */
export function answerNext(): void {
  const router = theRouter();
  const ids = store.wanted.map(({ id }) => id);
  const shown = router.route.page === 'inbox' ? ids.indexOf(router.route.question) : -1;
  router.go({ page: 'inbox', question: ids[(shown + 1) % Math.max(1, ids.length)] ?? '' });
}

/** Shows the changes of the task that waits for a review, or of the one after that which is shown; false where there is none. */
export function reviewNext(): boolean {
  const router = theRouter();
  const { route } = router;
  const keys = store.reviews.map(({ key }) => key);
  const key = keys[(keys.indexOf(route.page === 'task' ? route.key : '') + 1) % keys.length];
  if (key === undefined) return false;
  router.go({ page: 'task', key, tab: 'changes' });
  return true;
}
