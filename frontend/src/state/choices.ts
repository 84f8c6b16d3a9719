// What a person may choose for a task or project, in words.
import type { beckon } from '../bridge';
import { duration } from '../i18n/format';
import { t, type MessageKey } from '../i18n/index.svelte';

export interface Choice {
  value: string;
  label: string;
}

const minute = 60_000;
const waits = [1, 3, 5, 10, 30, 60].map((n) => n * minute);
const parks = [3, 10, 60].map((n) => n * minute);

/** The models that Claude Code knows by a short name; empty is its default. */
export function modelOptions(): Choice[] {
  return ['', 'opus', 'sonnet', 'haiku'].map((value) => ({ value, label: modelLabel(value) }));
}

/** A model by the one name it has on all screens: "claude-opus-4-8[1m]" is "Opus 4.8 (1M)". */
export function modelLabel(model: string): string {
  if (model === '' || model === 'default') return t('words.defaultModel');
  const named = /^(?:claude-)?([a-z]+)((?:-\d{1,2}){0,2})(?:-\d{8})?(\[1m\])?$/.exec(model);
  if (!named) return model;
  const [, family = '', version = '', long] = named;
  const name = family.charAt(0).toUpperCase() + family.slice(1);
  return [name, version.slice(1).replace('-', '.'), long && '(1M)'].filter(Boolean).join(' ');
}

const modes: Record<beckon.PermissionMode, MessageKey> = {
  auto: 'words.modeAuto',
  default: 'words.modeDefault',
  acceptEdits: 'words.modeAcceptEdits',
  plan: 'words.modePlan',
  bypassPermissions: 'words.modeBypass',
};

/** A permission mode in words. */
export function modeLabel(mode: beckon.PermissionMode): string {
  return t(modes[mode]);
}

/** The modes; with the project's one, the first choice is to take that. */
export function modeOptions(inherited?: beckon.PermissionMode): Choice[] {
  const own = (Object.keys(modes) as beckon.PermissionMode[]).map((mode) => ({
    value: mode,
    label: modeLabel(mode),
  }));
  return inherited === undefined
    ? own
    : [{ value: '', label: modeLabel(inherited) }, ...own.filter((one) => one.value !== inherited)];
}

/** A policy and its time as the value of a choice: "proceed 180000", "wait". */
export function waitValue(policy: beckon.Policy, waitMs: number): string {
  return policy === 'wait' ? policy : `${policy} ${waitMs}`;
}

/** The policy and its time that a choice has; the empty one has none. */
export function waitOf(value: string): { policy: beckon.Policy | ''; waitMs: number } {
  const [policy = '', waitMs = '0'] = value.split(' ');
  return { policy: policy as beckon.Policy | '', waitMs: Number(waitMs) };
}

/** A policy and its time in words: "3 min, then carries on". */
export function waitLabel(policy: beckon.Policy, waitMs: number): string {
  if (policy === 'proceed') return t('words.policyProceed', { time: duration(waitMs) });
  return policy === 'wait'
    ? t('words.policyWait')
    : t('words.policyPark', { time: duration(waitMs) });
}

/**
 * Policies and times, as "proceed 180000", "park 180000" or "wait"; with a project the first
 * choice, empty, is to take its own.
 */
export function waitOptions(inherited?: { policy: beckon.Policy; waitMs: number }): Choice[] {
  const own = [
    ...waits.map((ms) => ({ value: `proceed ${ms}`, label: waitLabel('proceed', ms) })),
    { value: 'wait', label: waitLabel('wait', 0) },
    ...parks.map((ms) => ({ value: `park ${ms}`, label: waitLabel('park', ms) })),
  ];
  if (inherited === undefined) return own;
  const label = waitLabel(inherited.policy, inherited.waitMs);
  return [{ value: '', label }, ...own.filter((one) => one.label !== label)];
}

/** From 0 to 4. */
const priorities: MessageKey[] = [
  'words.noPriority',
  'words.low',
  'words.medium',
  'words.high',
  'words.urgent',
];

export function priorityOptions(): Choice[] {
  return priorities.map((key, level) => ({ value: String(level), label: t(key) }));
}
