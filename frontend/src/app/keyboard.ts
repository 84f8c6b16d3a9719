import { href, isTyping, offerKey, store, theRouter } from '../state';
import { modHeld } from '../ui/platform';
import { meaning } from './keys';

const prefixMs = 1200;

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
        return answerNext();
      case 'go':
        event.preventDefault();
        location.hash = what.page === 'inbox' ? href({ page: 'inbox', question: '' }) : href({ page: 'board', project: '' });
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

function situation(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    typing: isTyping(event.target),
    dialog: document.querySelector('dialog[open]') !== null,
    control: target?.closest('button, a[href], summary, [role="switch"], [role="tab"]') != null,
    mod: modHeld(event),
  };
}

/** Shows the question that waits longest, or the one after the one shown. */
export function answerNext(): void {
  const router = theRouter();
  const ids = store.waiting.map((question) => question.id);
  const shown = router.route.page === 'inbox' ? ids.indexOf(router.route.question) : -1;
  router.go({ page: 'inbox', question: ids[(shown + 1) % Math.max(1, ids.length)] ?? '' });
}
