import { store, theRouter } from '../state';
import { plain, sameDisplay } from './display';
import { looks, projectBoard, viewBoard } from './looks.svelte';

/** Makes a view of the board in sight; where nothing is filtered yet, one filters it first. */
export async function newView(): Promise<void> {
  const { route } = theRouter();
  const here = route.page === 'board' ? route : undefined;
  if (!here) theRouter().go({ page: 'board', project: '' });
  const board = here?.view
    ? viewBoard(here.view)
    : projectBoard(here && store.projectByKey(here.project));
  const plainly = looks.filterOf(board).length === 0 && sameDisplay(looks.displayOf(board), plain);
  if (plainly) return looks.open(board);
  await looks.fetch();
  looks.asking = { what: 'save', board };
}
