// What filters boards, with its words; fetched as a whole.
import '../i18n/screens';

export { default as FilterLine } from './FilterLine.svelte';
export { find } from './find';
export { laneWords } from './laneWords';
