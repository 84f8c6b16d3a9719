// A session that began elsewhere goes on in Beckon.
import { api, asBeckonError, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { explain, sheets, store, taskHref, theRouter } from '../state';
import { toasts } from '../ui/toasts.svelte';

/** Continues a session, or a copy of it, and goes to its task. Returns whether it does. */
export async function continueSession(
  session: beckon.OutsideSession,
  copied: boolean,
): Promise<boolean> {
  try {
    const task = await api.continueSession(session.id, copied);
    toasts.show(t('mission.continued', { key: task.key }), { tone: 'ok' });
    theRouter().goTo(taskHref(task.key));
    return true;
  } catch (thrown) {
    instead(session, copied, thrown);
    return false;
  }
}

/** Offers what is missing: a project, or trust in it. */
function instead(session: beckon.OutsideSession, copied: boolean, thrown: unknown) {
  const error = asBeckonError(thrown);
  const project = [...store.projects.values()].find((one) => one.name === error.data.name);
  if (error.problem === 'sessionProject') {
    toasts.show(t('mission.continueProject'), { ms: 8000 });
    sheets.addProject(error.data.dir);
  } else if (error.problem === 'notTrusted' && project) {
    sheets.trust(project.id, () => continueSession(session, copied));
  } else {
    toasts.show(explain(error), { tone: 'bad', ms: 8000 });
  }
}
