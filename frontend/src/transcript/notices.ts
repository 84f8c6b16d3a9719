// Notices that are of use to everybody, and what they say.

import { type MessageKey, t } from '../i18n/index.svelte';

const words = new Map<string, MessageKey>([
  ['interrupted', 'transcript.noticeInterrupted'],
  ['api_error', 'transcript.noticeApiError'],
  ['api_retry', 'transcript.noticeApiRetry'],
  ['permission_denied', 'transcript.noticePermissionDenied'],
  ['rate_limit_event', 'transcript.noticeRateLimit'],
  ['model_fallback', 'transcript.noticeFallback'],
  ['model_refusal_no_fallback', 'transcript.noticeRefusal'],
  ['hook_ended', 'transcript.noticeHookEnded'],
  ['compacting', 'transcript.noticeCompacting'],
  ['compact_boundary', 'transcript.noticeCompacted'],
  ['task_notification', 'transcript.noticeTask'],
  ['background_ended', 'transcript.noticeBackgroundEnded'],
  ['background_lost', 'transcript.noticeBackgroundLost'],
  ['line_too_long', 'transcript.noticeLineTooLong'],
  ['session_set_aside', 'transcript.noticeSetAside'],
  ['auto_refused', 'transcript.noticeAutoRefused'],
  ['rewound', 'transcript.noticeRewound'],
  ['forked', 'transcript.noticeForked'],
  ['submodules_empty', 'transcript.noticeSubmodules'],
  ['files_encrypted', 'transcript.noticeEncrypted'],
  ['branch_renamed', 'transcript.noticeBranchRenamed'],
  ['session_lost', 'transcript.noticeSessionLost'],
]);

/** isLoud tells a notice for everybody from one for those who want everything. */
export function isLoud({ notice, text }: { notice: string; text: string }): boolean {
  // Claude tells its limits with every turn, mostly that all is well.
  if (notice === 'rate_limit_event' && / allowed( |$)/.test(text)) return false;
  return words.has(notice);
}

/** noticeWords says what a loud notice of an agent's run means; "" for the others. */
export function noticeWords(notice: string, agent: string): string {
  const key = words.get(notice);
  return key ? t(key, { agent }) : '';
}
