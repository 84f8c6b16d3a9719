import { api, transport } from '../bridge';
import { attempt, href, isTyping, offerKey, sheets, store, theRouter, type Route } from '../state';
import { modHeld } from '../ui/platform';
import { meaning } from './keys';
import { undoLast } from './undoing';

const prefixMs = 1200;

const homes: Record<'inbox' | 'mission' | 'board' | 'archive', Route> = {
  inbox: { page: 'inbox', question: '' },
  mission: { page: 'mission', key: '' },
  board: { page: 'board', project: '' },
  archive: { page: 'archive', find: '' },
};

/** Listens to the page's keys until the returned function is called. */
export function listenToKeys(): () => void {
  let before = '';
  let beforeAt = 0;

  function keydown(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const fresh = event.timeStamp - beforeAt < prefixMs;
    const what = meaning(event, { ...situation(event), before: fresh ? before : '' });
    before = '';
    switch (what.do) {
      case 'prefix':
        before = store.settings.singleKeys ? 'g' : '';
        beforeAt = event.timeStamp;
        return;
      case 'answerNext':
        event.preventDefault();
        if (!offerKey('Mod+j', event, document.activeElement)) answerNext();
        return;
      case 'search':
        event.preventDefault();
        return sheets.search();
      case 'undo':
        event.preventDefault();
        return void undoLast();
      case 'quit':
        return quit(event);
      case 'go':
        event.preventDefault();
        location.hash = href(homes[what.page]);
        return;
      case 'offer': {
        const aroundOnly = what.character && !store.settings.singleKeys;
        if (offerKey(what.key, event, document.activeElement, aroundOnly)) event.preventDefault();
      }
    }
  }

  addEventListener('keydown', keydown);
  return () => removeEventListener('keydown', keydown);
}

function quit(event: KeyboardEvent): void {
  if (transport().desktop === undefined) return;
  event.preventDefault();
  void attempt(() => api.quit('ask'));
}

function situation(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    typing: isTyping(event.target),
    dialog: document.querySelector('dialog[open]') !== null,
    control: target?.closest('button, a[href], summary, [role="switch"], [role="tab"]') != null,
    mod: modHeld(event),
  };
}

/** Shows the question that presses most, or the one after the one shown. */
export function answerNext(): void {
  const router = theRouter();
  const ids = store.urgent.map((question) => question.id);
  const shown = router.route.page === 'inbox' ? ids.indexOf(router.route.question) : -1;
  router.go({ page: 'inbox', question: ids[(shown + 1) % Math.max(1, ids.length)] ?? '' });
}
