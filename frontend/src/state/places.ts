// Where runs may execute, in words.
import type { beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import type { Choice } from './choices';
import { store } from './store.svelte';
import { here } from './views';

/** An executor by its id, as its chip says it; "" is this computer. */
export function placeLabel(place: string): string {
  return store.executor(place)?.executor.name ?? t('words.thisComputer');
}

const others = (): Choice[] =>
  store.executors.map(({ executor }) => ({ value: executor.id, label: executor.name }));

/** Where the runs of a project may execute. */
export function placeOptions(): Choice[] {
  return [{ value: '', label: placeLabel('') }, ...others()];
}

/** Where those of a task may: where its project says, or where one chooses. */
export function executorOptions(project: beckon.Project | undefined, chosen: string): Choice[] {
  const own = project?.executor ?? '';
  const all = [
    { value: '', label: placeLabel(own) },
    { value: here, label: placeLabel('') },
    ...others(),
  ];
  return all.filter(
    ({ value }) =>
      value === chosen || (value !== own && (value !== here || own !== '')) || value === '',
  );
}

/** Where those of tasks of several projects may. */
export function anyExecutorOptions(): Choice[] {
  return [
    { value: '', label: t('words.asProject') },
    { value: here, label: placeLabel('') },
    ...others(),
  ];
}
