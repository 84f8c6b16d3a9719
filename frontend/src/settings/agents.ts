// What the settings say of each kind of agent. Pure.
import type { beckon } from '../bridge';
import { moment } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { claudeCode, sentence } from '../state';
import { claudeAdvice, claudeInstall, claudeLogin, claudeState } from '../text/claude';

/** A line of the table. */
export interface Line extends beckon.AgentKind {
  /** How it is where it cannot be used, and what to do then. */
  state: string;
  trouble: string;
}

/** All kinds, Claude Code first. */
export function linesOf(about: beckon.About): Line[] {
  const claude: Line = {
    name: claudeCode,
    label: 'Claude Code',
    sign: 'Cl',
    program: about.claudeVersion ? `claude ${about.claudeVersion}` : 'claude',
    found: about.claudeTrouble === '',
    state: t(about.claudeTrouble === 'missing' ? 'agents.notFound' : 'agents.unusable'),
    trouble:
      about.claudeTrouble === 'missing'
        ? claudeAdvice(about)
        : sentence(`${claudeState(about)}. ${claudeAdvice(about)}`),
    signIn: claudeLogin,
    install: claudeInstall,
    asks: 'own',
    plans: true,
    resumes: true,
    cost: 'money',
    own: false,
    models: [],
  };
  return [
    claude,
    ...about.agents.map((kind) => ({
      ...kind,
      state: t('agents.notFound'),
      trouble: t('agents.install'),
    })),
  ];
}

/** How a kind is: what stands first, what below it, and how it looks. */
export interface State {
  words: string;
  more: string;
  tone: '' | 't-ok' | 't-bad';
  mark: '' | 'lost' | 'wait';
}

export function stateOf(
  line: Line,
  trial: beckon.AgentTrial | undefined,
  tries: boolean,
  now: number,
): State {
  if (!line.found) {
    const more = line.name === claudeCode ? '' : t('agents.notOnPath');
    return { words: line.state, more, tone: '', mark: 'wait' };
  }
  if (tries) return { words: t('agents.trying'), more: '', tone: '', mark: 'wait' };
  if (!trial) return { words: t('agents.found'), more: '', tone: 't-ok', mark: '' };
  const when = t('agents.triedAt', { time: moment(trial.at, now) });
  if (trial.signIn)
    return { words: t('agents.signedOut'), more: t('agents.cantStart'), tone: '', mark: 'wait' };
  return trial.why
    ? { words: t('agents.tryFailed'), more: when, tone: 't-bad', mark: 'lost' }
    : { words: t('agents.works'), more: when, tone: 't-ok', mark: '' };
}

/** What a kind can, column by column; `yes` and `no` are signs, else it is words. */
export function cellsOf(
  line: Line,
): { column: string; value: string; is: 'yes' | 'no' | 'part' }[] {
  const flag = (yes: boolean) => (yes ? 'yes' : 'no');
  const asks = line.asks === 'own' ? 'yes' : 'part';
  const cost = { money: 'yes', tokens: 'part', '': 'no' } as const;
  return [
    { column: t('agents.questions'), value: t(`agents.asks_${line.asks}`), is: asks },
    { column: t('agents.permissions'), value: t('agents.yes'), is: 'yes' },
    { column: t('agents.plans'), value: t(`agents.${flag(line.plans)}`), is: flag(line.plans) },
    {
      column: t('agents.resume'),
      value: t(`agents.${flag(line.resumes)}`),
      is: flag(line.resumes),
    },
    {
      column: t('agents.cost'),
      value: t(`agents.cost_${line.cost || 'unsaid'}`),
      is: cost[line.cost],
    },
  ];
}

/** A name for rows that no other kind has: "My agent" is "own-my-agent". */
export function nameFor(label: string, taken: string[]): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const name = `own-${words || 'agent'}`.slice(0, 36).replace(/-$/, '');
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name}-${n}`;
    if (!taken.includes(one)) return one;
  }
}
