// What is said of a session elsewhere.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { store } from '../state';
import { oneLine } from '../text/plain';
import { hooks } from './hooks.svelte';

/** What the CLI calls the programs that run it, by the names that people know. */
const hosts: Record<string, string> = {
  'claude-vscode': 'VS Code',
  'claude-jetbrains': 'JetBrains',
  'claude-desktop': 'Claude Desktop',
};

/** hostOf names where a session elsewhere runs. */
export function hostOf(session: beckon.OutsideSession): string {
  if (session.tmux) return t('outside.hostTmux');
  if (session.entrypoint === 'cli' || session.entrypoint === '') return t('outside.hostTerminal');
  return session.entrypoint.startsWith('sdk')
    ? t('outside.hostScript')
    : (hosts[session.entrypoint] ?? oneLine(session.entrypoint).slice(0, 40));
}

/** short is a folder as people write it, with ~ for their own. */
export function short(dir: string): string {
  const home = store.about?.home ?? '';
  const within =
    home !== '' && (dir === home || dir.startsWith(`${home}/`) || dir.startsWith(`${home}\\`));
  return oneLine(within ? `~${dir.slice(home.length)}` : dir);
}

/** whereOf is the origin line of a session: "terminal, ~/src/kestrel". */
export function whereOf(session: beckon.OutsideSession): string {
  return `${hostOf(session)}, ${short(session.dir)}`;
}

/** originOf says who asks from outside, and from where. */
export function originOf(question: beckon.Question): string {
  const session = store.sessionOf(question.id);
  return session ? `${oneLine(session.name)} · ${whereOf(session)}` : oneLine(question.origin);
}

/** How a session's questions can be answered from here, now or when one comes. */
function wayOf(session: beckon.OutsideSession): beckon.AnswerWay {
  const ask = session.asks.find((one) => one.onScreen) ?? session.asks[0];
  if (ask) return ask.way;
  if (hooks.works(session.root) && !session.entrypoint.startsWith('sdk')) return 'hook';
  return session.tmux ? 'keys' : 'terminal';
}

/** wayWords says how a session's questions can be answered, and if not, where. */
export function wayWords(session: beckon.OutsideSession): string {
  if (session.ended > 0) return t('outside.wayEnded');
  const way = wayOf(session);
  if (way === 'hook') return t('outside.wayHook');
  if (way === 'keys') return t('outside.wayKeys');
  if (session.entrypoint.startsWith('sdk')) return t('outside.wayScript');
  return t('outside.wayThere', { host: hostOf(session) });
}

/** A session whose questions the hook would bring here, and that has none. */
export function wantsHook(session: beckon.OutsideSession): boolean {
  return (
    session.ended === 0 && !session.entrypoint.startsWith('sdk') && hooks.missing(session.root)
  );
}
