// How the work in a repository stands, in words and as a sign.

import type { beckon } from '../../bridge';
import { t } from '../../i18n/index.svelte';
import { said } from '../../i18n/reason';
import { oneLine } from '../../text/plain';
import { isMergeable } from './order';
import type { ReadPart } from './read';

/** Standing is what the head of a repository says at its end. */
export interface Standing {
  text: string;
  look: 'ok' | 'bad' | 'calm' | 'off';
  sign: 'check' | 'behind' | 'alert' | 'merged' | 'none';
  /** Why, where that is known. */
  why: string;
}

const looks: Record<beckon.PartState, Pick<Standing, 'look' | 'sign'>> = {
  none: { look: 'off', sign: 'none' },
  unchanged: { look: 'off', sign: 'none' },
  clean: { look: 'ok', sign: 'check' },
  conflict: { look: 'bad', sign: 'alert' },
  refused: { look: 'bad', sign: 'alert' },
  missing: { look: 'bad', sign: 'alert' },
  merged: { look: 'ok', sign: 'merged' },
};

/** standingOf returns how a repository stands; `left` is whether the merge leaves it out. */
export function standingOf(part: ReadPart, left: boolean): Standing {
  const why = whyOf(part);
  if (left && isMergeable(part))
    return { text: t('repositories.left'), look: 'off', sign: 'none', why };
  if (part.failed !== '' && part.state !== 'missing')
    return { text: t('repositories.unread'), look: 'bad', sign: 'alert', why };
  if (part.absent !== '')
    return { text: t('repositories.absent'), look: 'off', sign: 'none', why: oneLine(part.absent) };
  if (part.state === 'clean' && part.behind > 0)
    return { text: t('review.behind', { n: part.behind }), look: 'calm', sign: 'behind', why };
  return { text: t(`repositories.${part.state}`), ...looks[part.state], why };
}

/** whyOf returns why a repository cannot be merged or read, where that is known. */
export function whyOf(part: ReadPart): string {
  return oneLine(said(part.why) || part.failed);
}

/** planStanding returns how a repository stands in the plan of a merge. */
export function planStanding(part: ReadPart, left: boolean): Standing {
  const standing = standingOf({ ...part, absent: '' }, left);
  if (left || part.failed !== '') return standing;
  if (part.state === 'clean')
    return { ...standing, text: t('repositories.mergesCleanly'), look: 'ok', sign: 'check' };
  return part.state === 'conflict' ? { ...standing, text: t('repositories.would') } : standing;
}

/** nothingIn says why there is nothing to merge in any of a task's repositories. */
export function nothingIn(parts: ReadPart[]): string {
  if (parts.some(({ failed }) => failed !== ''))
    return t('repositories.nothingRead', { n: parts.length });
  return parts.some(({ state }) => state === 'merged')
    ? t('repositories.allMerged')
    : t('repositories.nothing', { n: parts.length });
}
