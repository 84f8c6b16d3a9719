/**
 * What the page knows of Beckon, and where the person is. Everything here
 * works without being shown.
 */
export { archiveTask, restoreTask } from './archiving';
export { away } from './away.svelte';
export { attempt, explain, sentence } from './attempt';
export {
  modeLabel,
  modelLabel,
  modeOptions,
  modelOptions,
  priorityOptions,
  waitLabel,
  waitOf,
  waitOptions,
  waitValue,
} from './choices';
export { clock } from './clock.svelte';
export {
  offerCommands,
  offerControls,
  offered,
  taskInFocus,
  type Command,
  type Offered,
} from './commands';
export { actsAround, offerKey, takeKeys, type KeyTaker } from './focus';
export { wanted } from './wanted.svelte';
export { follow } from './follow';
export {
  changeable,
  chooseKeys,
  doing,
  heard,
  keyFor,
  keymap,
  prefix,
  rowName,
  rowsOf,
  type Does,
  type KeyId,
  type KeyRow,
  type Place as KeyPlace,
} from './keymap';
export { lately } from './lately';
export { meter } from './meter';
export {
  agentChoices,
  agentFor,
  agentLabel,
  agentModelLabel,
  agentModels,
  agentOf,
  agentOptions,
  agentSays,
  agentSign,
  askerOf,
  claudeCode,
  foundAgents,
  lookForAgents,
  modelOfTask,
  namedAgents,
  nextAgents,
  otherAgents,
} from './agents';
export { anyExecutorOptions, executorOptions, placeLabel, placeOptions } from './places';
export { behind, between } from './rank';
export {
  href,
  placeHref,
  sinceIn,
  taskHref,
  theRouter,
  type Route,
  type Section,
  type TaskTab,
} from './router.svelte';
export { saveProject, saveSettings } from './saving';
export { editAt, editIn } from './editor';
export { sheets, type Choice, type Sheet } from './sheets.svelte';
export { startTask } from './start';
export { store, type Connection } from './store.svelte';
export type { Place } from './entries';
export type { Failure, Transcript } from './transcript.svelte';
export { follows, nameOf, redo, tell, undo, undoMs, undoOf } from './undoing';
export * from './views';
export { capOf, isEnter } from '../ui/caps';
export { isTyping } from '../ui/typing';
export { timed } from './timed.svelte';
