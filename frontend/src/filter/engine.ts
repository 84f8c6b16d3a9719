// What filters boards, with its words; fetched as a whole.
import '../i18n/screens';

export { arrange, groupOf } from './arrange';
export { default as DisplayPanel } from './DisplayPanel.svelte';
export { default as FilterLine } from './FilterLine.svelte';
export { find } from './find';
export { default as RailViews } from './RailViews.svelte';
export { default as ViewDialog } from './ViewDialog.svelte';
export { default as ViewMenu } from './ViewMenu.svelte';
export { laneWords } from './laneWords';
