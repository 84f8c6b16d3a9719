// What the composer says of where a message goes.

import type { beckon } from '../bridge';
import { t, type MessageKey } from '../i18n/index.svelte';
import { drafts } from '../question/drafts.svelte';
import type { Go } from '../state';
import { agentSays } from '../state/agents';
import { keyFor } from '../state/keymap';
import { store } from '../state/store.svelte';
import { type Target, isCommand } from './target';
import { blank, type Draft } from './draft';

const placeholders: Record<Target['kind'], MessageKey> = {
  begin: 'chat.message',
  redirect: 'chat.message',
  queue: 'chat.message',
  answer: 'chat.answerPlaceholder',
  deny: 'chat.denyPlaceholder',
  changes: 'chat.changesPlaceholder',
  start: 'chat.wakePlaceholder',
  none: 'chat.message',
};

/** placeholderOf is what an empty field says; agent is what the agent is called. */
export function placeholderOf(target: Target, agent: string): string {
  return t(placeholders[target.kind], { agent });
}

const names: Record<Target['kind'], MessageKey> = {
  begin: 'chat.enterSends',
  redirect: 'chat.enterRedirects',
  queue: 'chat.enterQueues',
  answer: 'chat.enterAnswers',
  deny: 'chat.enterDenies',
  changes: 'chat.enterChanges',
  start: 'chat.enterWakes',
  none: 'chat.messageLabel',
};

/** nameOf names the field by what Enter does with what is in it. */
export function nameOf(target: Target, agent: string): string {
  return t(names[target.kind], { agent });
}

/** noteOf tells what Enter will do where that is more than to send; "" while nothing is written. */
export function noteOf(target: Target, draft: Draft, agent: string): string {
  if (blank(draft)) return '';
  switch (target.kind) {
    case 'answer': {
      const n = target.question.items.length;
      const i = Math.min(drafts.of(target.question).page, n - 1) + 1;
      return n > 1 ? t('chat.answersOf', { agent, i, n }) : t('chat.answers', { agent });
    }
    case 'deny':
      return t('chat.denies');
    case 'changes':
      return t('chat.asksForChanges', { agent });
    case 'queue':
      if (draft.images.length > 0) return t('chat.waitsWithPictures');
      return t(isCommand(draft.text) ? 'chat.waitsAsCommand' : 'chat.waitsForForm');
    default:
      return '';
  }
}

/** Hint is a key and what it does. */
export interface Hint {
  keys: string;
  label: string;
}

const enters: Record<Target['kind'], MessageKey> = {
  begin: 'chat.keySend',
  redirect: 'chat.keyRedirect',
  queue: 'chat.keyQueue',
  answer: 'chat.keyAnswer',
  deny: 'chat.keyDeny',
  changes: 'chat.keyChanges',
  start: 'chat.keyWake',
  none: 'chat.keySend',
};

/** hintsOf are the keys that do something: few while the field is empty. */
export function hintsOf(target: Target, draft: Draft, busy: boolean): Hint[] {
  if (blank(draft))
    return [
      {
        keys: keyFor('composer', 'send'),
        label: t(target.kind === 'redirect' ? 'chat.keySend' : enters[target.kind]),
      },
      ...(busy ? [{ keys: keyFor('composer', 'leave'), label: t('chat.keyInterrupt') }] : []),
    ];
  const queues = target.kind !== 'begin' && target.kind !== 'queue';
  return [
    { keys: keyFor('composer', 'send'), label: t(enters[target.kind]) },
    ...(queues ? [{ keys: keyFor('composer', 'queue'), label: t('chat.keyQueue') }] : []),
  ];
}

/** disabledReason tells why nobody can be talked to, and what would change that. */
export function disabledReason(task: beckon.Task, go: Go): string {
  if (task.status === 'queued')
    return t(store.settings.holdQueue ? 'board.queueHeld' : 'chat.queuedHint');
  if (task.status === 'archived') return t('chat.archivedHint');
  if (task.status === 'done') return t('chat.doneHint');
  return t(go === 'resume' ? 'chat.resumeHint' : 'chat.notStarted', {
    agent: agentSays(task.agent),
  });
}
