// What the page says of the claude on this machine.

import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';

/** The commands that install it and sign in. */
export const claudeInstall = 'npm install -g @anthropic-ai/claude-code';
export const claudeLogin = 'claude auth login';

type Found = Pick<beckon.About, 'claudeVersion' | 'claudeTrouble' | 'claudeOldest'>;

/** claudeState says which claude there is, or what is wrong with it. */
export function claudeState({
  claudeVersion: version,
  claudeTrouble: trouble,
  claudeOldest: oldest,
}: Found): string {
  switch (trouble) {
    case 'missing':
      return t('projects.missing');
    case 'old':
      return t('projects.tooOld', { version, oldest });
    case 'silent':
      return t('projects.silent');
    default:
      return t('projects.version', { version });
  }
}

/** claudeAdvice says what to do where something is wrong; else "". */
export function claudeAdvice({ claudeTrouble: trouble }: Found): string {
  switch (trouble) {
    case 'missing':
      return t('projects.installClaude');
    case 'old':
      return t('projects.updateClaude');
    case 'silent':
      return t('projects.mendClaude');
    default:
      return '';
  }
}

/** claudeTried says which versions Beckon was tried with. */
export function claudeTried({
  claudeTried: { from, to },
}: Pick<beckon.About, 'claudeTried'>): string {
  return t('projects.tried', { from, to });
}
