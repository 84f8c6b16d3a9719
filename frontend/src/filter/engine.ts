// What filters boards, with its words; fetched as a whole.
import '../i18n/screens';

export { arrange, groupOf } from './arrange';
export { default as DisplayPanel } from './DisplayPanel.svelte';
export { default as FilterLine } from './FilterLine.svelte';
export { find } from './find';
export { laneWords } from './laneWords';
