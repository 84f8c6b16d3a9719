import { api, keepCalls, keptCalls, transport, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { sheets, theRouter } from '../state';
import { shortcut } from '../ui/platform';
import { toasts } from '../ui/toasts.svelte';
import { answerNext } from './keyboard';
import { mention } from './mention';

const resting = 400;

/** What is asked about the person's own work, which the demo knows nothing of. */
const outsideDemo = ['show', 'newTask', 'answerNext', 'folder'];

/** What the desktop asks of the page, and what the page reports to it. */
class Desk {
  /** What the person who quits is asked about; none while nobody quits. */
  quitting = $state.raw<Pick<beckon.ShellEvent, 'agents' | 'keys'>>();

  /** Does what was asked before there was a page. */
  async begin(): Promise<void> {
    if (transport().desktop === undefined) return;
    for (const event of keptCalls()) this.#obey(event);
    await this.#fetch();
  }

  /** Does what is asked, until the returned function is called. */
  follow(): () => void {
    const desktop = transport().desktop;
    if (desktop === undefined) return () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => desktop.tell(location.hash || '#/', document.hasFocus() && !document.hidden);
    const tellLater = () => {
      clearTimeout(timer);
      timer = setTimeout(tell, resting);
    };
    const told = ['hashchange', 'focus', 'blur', 'visibilitychange'];
    for (const name of told) addEventListener(name, tell, true);
    addEventListener('resize', tellLater);
    desktop.knocked(() => void this.#fetch());
    void this.#fetch(); // what was asked since the page began, before it could hear a knock
    tell();
    return () => {
      clearTimeout(timer);
      for (const name of told) removeEventListener(name, tell, true);
      removeEventListener('resize', tellLater);
    };
  }

  /** Closes the question what becomes of the agents. */
  stay(): void {
    this.quitting = undefined;
  }

  async #fetch(): Promise<void> {
    const events = await api.shellEvents();
    const leave = transport().leaveDemo;
    const away = leave ? events.findIndex(({ kind }) => outsideDemo.includes(kind)) : -1;
    for (const event of away < 0 ? events : events.slice(0, away)) this.#obey(event);
    if (away < 0) return;
    keepCalls(events.slice(away));
    await leave?.('called');
  }

  #obey(event: beckon.ShellEvent): void {
    switch (event.kind) {
      case 'show':
        theRouter().goTo(event.route);
        return;
      case 'newTask':
        return sheets.newTask();
      case 'answerNext':
        return answerNext();
      case 'quit':
        this.quitting = event;
        return;
      case 'folder':
        return sheets.addProject(event.paths[0]);
      case 'files':
        return mention(event);
      case 'hint':
        return onceSeen(() =>
          toasts.show(t('desktop.hint', { keys: shortcut('Mod Q').replace('Control', 'Ctrl') }), {
            ms: 12_000,
          }),
        );
      case 'trouble':
        toasts.show(event.text, { tone: 'bad', ms: 12_000 });
    }
  }
}

/** Waits for the page to be seen. */
function onceSeen(act: () => void): void {
  if (!document.hidden) return act();
  document.addEventListener('visibilitychange', act, { once: true });
}

/** The page's one. */
export const desk = new Desk();
