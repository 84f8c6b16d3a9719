import type * as beckon from './types';
import type { Method } from './types';
import { transport } from './connect';

async function call<R>(method: Method, ...args: unknown[]): Promise<R> {
  return (await transport().call(method, args)) as R;
}

/**
 * Every method of Go's App, with the names that the generator drops. What
 * each does is said there. All throw BeckonError.
 */
export const api = {
  about: () => call<beckon.About>('About'),
  attach: (client: string) => call<beckon.Frame>('Attach', client),
  /** The next part of the state, after what the `more` of the one before says. */
  attachMore: (after: string) => call<beckon.Frame>('AttachMore', after),
  watch: (client: string, taskIds: string[]) => call<void>('Watch', client, taskIds),
  saveSettings: (settings: beckon.Settings) => call<void>('SaveSettings', settings),
  /** Shows a web page outside Beckon: the window asks the system, a browser has tabs. */
  async openUrl(url: string): Promise<void> {
    if (transport().window) await call<void>('OpenURL', url);
    else open(url, '_blank', 'noopener,noreferrer');
  },

  /** What opens a worktree: names of editors, and "terminal"; none in a browser. */
  /** Shows the data folder in the file manager. */
  openDataFolder: () => call<void>('OpenDataFolder'),
  programs: () => call<string[]>('Programs'),
  openIn: (taskId: string, program: string) => call<void>('OpenIn', taskId, program),
  openFile: (taskId: string, program: string, at: beckon.DiffSpot) =>
    call<void>('OpenFile', taskId, program, at),
  /** Shows a task's worktree in the file manager; only the window can. */
  openWorktree: (taskId: string) => call<void>('OpenWorktree', taskId),
  /** Starts the demo beside this Beckon, unless it runs. */
  startDemo: () => call<void>('StartDemo'),

  /** What the desktop asked of the page since the last call. */
  shellEvents: () => call<beckon.ShellEvent[]>('ShellEvents'),
  quit: (choice: beckon.QuitChoice) => call<void>('Quit', choice),
  chooseFolder: () => call<string>('ChooseFolder'),
  /** Who is signed in with the claude of this machine. */
  account: () => call<beckon.Account>('Account'),
  /** The repositories in the person's home folder, the one worked in last first. */
  nearby: () => call<beckon.NearbyFound>('Nearby'),
  /** The folders whose paths begin with what was typed. */
  folders: (typed: string) => call<beckon.Folder[]>('Folders', typed),
  inspectFolder: (dir: string) => call<beckon.ProjectFound>('InspectFolder', dir),
  addProject: (project: beckon.NewProject) => call<beckon.Project>('AddProject', project),
  editProject: (edit: beckon.Project) => call<beckon.Project>('EditProject', edit),
  removeProject: (id: string) => call<void>('RemoveProject', id),

  createTask: (task: beckon.NewTask) => call<beckon.Task>('CreateTask', task),
  createTasks: (tasks: beckon.NewTask[]) => call<beckon.ChangeResult>('CreateTasks', tasks),
  /** One change of many cards, which one undo takes back. */
  changeTasks: (ids: string[], change: beckon.ManyChange) =>
    call<beckon.ChangeResult>('ChangeTasks', ids, change),
  /** What can be imported from here; no server is asked. */
  importPlaces: (projectId: string) => call<beckon.ImportPlaces>('ImportPlaces', projectId),
  /** Brings a piece of a text, the first without an id, and returns the text's id. */
  bringText: (id: string, piece: string) => call<string>('BringText', id, piece),
  findImports: (query: beckon.ImportQuery) => call<beckon.ImportFound>('FindImports', query),
  /** Makes cards of rows that were found, all or none, which one undo takes back. */
  importTasks: (order: beckon.ImportOrder) => call<beckon.ChangeResult>('Import', order),
  /** Takes back the last change, or the last one of a card. */
  undo: (taskId = '') => call<beckon.ChangeResult>('Undo', taskId),
  /** What `undo` would take back. */
  undoNext: () => call<beckon.ChangeStep>('UndoNext'),
  /** Does again what was taken back last. */
  redo: () => call<beckon.ChangeResult>('Redo'),
  /** What `redo` would do. */
  redoNext: () => call<beckon.ChangeStep>('RedoNext'),
  editTask: (id: string, edit: beckon.TaskEdit) => call<beckon.Task>('EditTask', id, edit),
  /** `rank` 0 is the column's end. */
  moveTask: (id: string, to: beckon.Status, rank: number) =>
    call<beckon.Task>('MoveTask', id, to, rank),
  /** Into Done, although its base lacks some of its work. */
  closeTask: (taskId: string) => call<beckon.Task>('CloseTask', taskId),
  /** An archived card goes back to where it was. */
  restoreTask: (taskId: string) => call<beckon.Task>('RestoreTask', taskId),
  behind: (taskId: string) => call<number>('Behind', taskId),
  loss: (taskId: string) => call<beckon.Loss>('Loss', taskId),
  /** The ids of discarded tasks whose work is not kept any more. */
  lostWork: () => call<string[]>('LostWork'),
  /** Without a project, that of all. */
  diskUse: (projectId: string) => call<beckon.DiskUse>('DiskUse', projectId),
  /** `token` is that of the loss the person was shown. */
  discardTask: (taskId: string, token: string) => call<beckon.Task>('DiscardTask', taskId, token),
  startOver: (taskId: string, token: string) => call<beckon.Task>('StartOver', taskId, token),
  deleteTask: (taskId: string, token: string) => call<void>('DeleteTask', taskId, token),

  /** A new executor has no id. It is looked at at once. */
  saveExecutor: (executor: beckon.Executor) => call<beckon.Executor>('SaveExecutor', executor),
  /** Which part of a project goes to an executor besides its commits, and what stays on this computer. */
  goesAlong: (projectId: string) => call<beckon.Along>('GoesAlong', projectId),
  /** Keeps the value of one of its variables in the system's key ring; an empty one is forgotten. */
  keepVariable: (executorId: string, name: string, value: string) =>
    call<void>('KeepVariable', executorId, name, value),
  /** Looks at it again; what is found comes as an event. */
  checkExecutor: (id: string) => call<void>('CheckExecutor', id),
  /** Answers what ssh asks for an executor, if it is that still. */
  answerExecutor: (id: string, askId: string, reply: beckon.ExecutorReply) =>
    call<void>('AnswerExecutor', id, askId, reply),
  leftOnExecutor: (id: string) => call<beckon.ExecutorLeft>('LeftOnExecutor', id),
  /** Removes what Beckon has there too, unless `forget`. */
  removeExecutor: (id: string, forget: boolean) => call<void>('RemoveExecutor', id, forget),

  /** A new view has no id. */
  saveView: (view: beckon.View) => call<beckon.View>('SaveView', view),
  deleteView: (id: string) => call<void>('DeleteView', id),

  /** Where the branch and its base do not go together. */
  conflicts: (taskId: string) => call<beckon.Conflict[]>('Conflicts', taskId),
  /** Merges the base into the worktree as far as that goes; the rest is resolved there. */
  resolveByHand: (taskId: string) => call<void>('ResolveByHand', taskId),
  /** Resolves conflicts by the sides that were taken; what is left is resolved in the worktree. */
  takeSides: (taskId: string, taken: beckon.TakenSides[]) =>
    call<beckon.ByHand>('TakeSides', taskId, taken),
  byHand: (taskId: string) => call<beckon.ByHand>('ByHand', taskId),
  finishByHand: (taskId: string) => call<beckon.Task>('FinishByHand', taskId),
  abandonByHand: (taskId: string) => call<void>('AbandonByHand', taskId),
  /** What a pull request for the task's branch would be; no server is asked. */
  pullProposal: (taskId: string) => call<beckon.PullProposal>('PullProposal', taskId),
  /** Pushes the branch and opens a pull request; without a number the address is the page that opens one. */
  openPull: (taskId: string, order: beckon.PullOrder) =>
    call<beckon.PullRequest>('OpenPull', taskId, order),
  /** Asks its server at once how it is. */
  refreshPull: (taskId: string) => call<beckon.PullRequest>('RefreshPull', taskId),

  runScript: (taskId: string, kind: beckon.ScriptKind) =>
    call<beckon.ScriptRun>('RunScript', taskId, kind),
  /** A shell in the task's worktree. */
  openTerminal: (taskId: string, size: beckon.TerminalSize) =>
    call<beckon.Terminal>('OpenTerminal', taskId, size),
  /** What a terminal printed from a place on. */
  terminalOutput: (id: string, from: number) =>
    call<beckon.TerminalOutput>('TerminalOutput', id, from),
  /** One call at a time: what they type is in their order then. */
  typeInTerminal: (id: string, text: string) => call<void>('TypeInTerminal', id, text),
  resizeTerminal: (id: string, size: beckon.TerminalSize) => call<void>('ResizeTerminal', id, size),
  /** `sure` ends it although something runs in it. */
  closeTerminal: (id: string, sure: boolean) => call<void>('CloseTerminal', id, sure),
  stopScript: (taskId: string, kind: beckon.ScriptKind) => call<void>('StopScript', taskId, kind),
  /** Takes the worktree for ready, whatever its setup command said. */
  skipSetup: (taskId: string) => call<void>('SkipSetup', taskId),
  /** Has the files looked at that the task's check is about. */
  lookAtCheck: (taskId: string) => call<void>('LookAtCheck', taskId),
  /** What the command printed the last time, from a place on, in bytes. */
  scriptOutput: (taskId: string, kind: beckon.ScriptKind, from: number) =>
    call<beckon.ScriptOutput>('ScriptOutput', taskId, kind, from),

  /** Of the files of a task's changes: what they were when the person viewed them, by path. */
  viewed: (taskId: string) => call<Record<string, string>>('Viewed', taskId),
  /** `content` is that of the file's diff; empty forgets it. */
  markViewed: (taskId: string, path: string, content: string) =>
    call<void>('MarkViewed', taskId, path, content),
  /** Those on lines of a task's changes, each where its lines are by now. */
  comments: (taskId: string) => call<beckon.Comment[]>('Comments', taskId),
  /** Without an id it is a new draft; else only the text counts. */
  saveComment: (edit: beckon.CommentEdit) => call<beckon.Comment>('SaveComment', edit),
  deleteComment: (id: string) => call<void>('DeleteComment', id),
  resolveComment: (id: string, resolved: boolean) =>
    call<beckon.Comment>('ResolveComment', id, resolved),
  /** All drafts, as one message; returns how many they are. */
  sendComments: (taskId: string) => call<number>('SendComments', taskId),
  /** The open discussions on the task's pull request, each where its lines are by now. */
  pullThreads: (taskId: string) => call<beckon.Thread[]>('PullThreads', taskId),
  /** Closes a discussion on its server. */
  resolveThread: (taskId: string, threadId: string) =>
    call<void>('ResolveThread', taskId, threadId),
  /** Posts a comment to the pull request and returns its page there; a draft is deleted then. */
  postComment: (id: string) => call<string>('PostComment', id),
  /** What its server checked in vain of the task's pull request. */
  failedChecks: (taskId: string) => call<beckon.FailedCheck[]>('FailedChecks', taskId),
  /** Sends the end of the check's log to the agent. */
  sendCheck: (taskId: string, checkId: string) => call<void>('SendCheck', taskId, checkId),
  review: (taskId: string, view: beckon.DiffView) =>
    call<beckon.ReviewDiff>('Review', taskId, view),
  /** What its changes can be looked at by: turns, commits and the last review. */
  changeRanges: (taskId: string) => call<beckon.ChangeRanges>('ChangeRanges', taskId),
  /** Lines of a changed file that its diff leaves out; of many only the first. */
  diffLines: (taskId: string, stretch: beckon.DiffStretch) =>
    call<beckon.DiffLines>('DiffLines', taskId, stretch),
  /** A file of the changes with more of its patch than `review` gives. */
  diffFile: (taskId: string, of: beckon.DiffFileOf) =>
    call<beckon.FileDiff>('DiffFile', taskId, of),
  /** An image of the changes, as a data: URL where it can be drawn. */
  diffPicture: (taskId: string, of: beckon.DiffSide) =>
    call<beckon.DiffPicture>('DiffPicture', taskId, of),
  merge: (taskId: string) => call<beckon.Task>('Merge', taskId),
  /** In a way, or with a message, that is not the project's. */
  mergeAs: (taskId: string, order: beckon.MergeOrder) =>
    call<beckon.Task>('MergeAs', taskId, order),
  /** The work of a task in each repository, in the order in which it is merged. */
  parts: (taskId: string) => call<beckon.TaskPart[]>('Parts', taskId),
  /** Makes a task's worktree of a further repository, where it has none yet, and returns its folder. */
  openRepository: (taskId: string, name: string) => call<string>('OpenRepository', taskId, name),
  /** Merges all that is named, in that order, or nothing. */
  mergeTogether: (taskId: string, orders: beckon.PartOrder[]) =>
    call<beckon.Task>('MergeTogether', taskId, orders),
  mergeProposal: (taskId: string) => call<beckon.MergeProposal>('MergeProposal', taskId),
  /** Has an agent do one small turn in an empty folder, by its name or `claude`. */
  tryAgent: (name: string) => call<beckon.AgentTrial>('TryAgent', name),
  /** Mentions a newer version of Beckon no more. */
  skipUpdate: (version: string) => call<void>('SkipUpdate', version),
  /** Brings what the base has by now into the branch. */
  updateFromBase: (taskId: string) => call<beckon.Task>('UpdateFromBase', taskId),
  sendBack: (taskId: string, comment: string) => call<beckon.Task>('SendBack', taskId, comment),
  /** `agent` is the name of another kind; the words may be empty. */
  continueWith: (taskId: string, agent: string, words: string) =>
    call<beckon.Task>('ContinueWith', taskId, agent, words),

  /** `before` is the cursor of a page; empty means the end. */
  transcript: (taskId: string, before: string, limit: number) =>
    call<beckon.TranscriptPage>('Transcript', taskId, before, limit),
  /** `after` is the cursor of a page. */
  transcriptAfter: (taskId: string, after: string, limit: number) =>
    call<beckon.TranscriptPage>('TranscriptAfter', taskId, after, limit),
  /** The page around an entry, in whose middle it stands. */
  transcriptAround: (taskId: string, entry: { runId: string; pos: number }, limit: number) =>
    call<beckon.TranscriptPage>('TranscriptAround', taskId, `${entry.runId}/${entry.pos}`, limit),
  landmarks: (taskId: string) => call<beckon.Landmark[]>('Landmarks', taskId),
  search: (query: beckon.SearchQuery) => call<beckon.SearchPage>('Search', query),
  /** A data: URL. */
  picture: (runId: string, picture: beckon.Picture) =>
    call<string>('Picture', runId, picture.pos, picture.index),
  /** The path of the new file. */
  /** Writes who wrote the lines that a task's work added to a new file, and returns its path. */
  exportTrace: (taskId: string) => call<string>('ExportTrace', taskId),
  exportRun: (runId: string, format: beckon.ExportFormat) =>
    call<string>('ExportRun', runId, format),
  timeline: (taskId: string) => call<beckon.Timeline>('Timeline', taskId),
  filesAt: (
    taskId: string,
    ask: { at: number; against: beckon.Against; path: string; nth: number },
  ) => call<beckon.FilesAt>('FilesAt', taskId, ask),
  shareTask: (taskId: string, runId: string) => call<string>('ShareTask', taskId, runId),
  saveMission: (mission: beckon.Mission) => call<void>('SaveMission', mission),
  questions: (taskId: string) => call<beckon.Question[]>('Questions', taskId),
  runs: (taskId: string) => call<beckon.Run[]>('Runs', taskId),
  startInteractive: (taskId: string) => call<beckon.Run>('StartInteractive', taskId),
  sendMessage: (taskId: string, message: beckon.NewMessage) =>
    call<beckon.Message>('SendMessage', taskId, message),
  editMessage: (id: string, message: beckon.NewMessage) =>
    call<beckon.Message>('EditMessage', id, message),
  /** `to` is a place in the queue, 0 for the first. */
  moveMessage: (id: string, to: number) => call<void>('MoveMessage', id, to),
  removeMessage: (id: string) => call<void>('RemoveMessage', id),
  keepImage: (image: beckon.NewImage) => call<beckon.Image>('KeepImage', image),
  /** A data: URL. */
  image: (id: string) => call<string>('Image', id),
  /** An empty text drops the draft. */
  saveMessageDraft: (taskId: string, text: string) => call<void>('SaveMessageDraft', taskId, text),
  abilities: (taskId: string) => call<beckon.Abilities>('Abilities', taskId),
  setBudget: (scope: beckon.BudgetScope, subject: string, limit: beckon.Limit, today: boolean) =>
    call<void>('SetBudget', scope, subject, limit, today),
  totals: (by: beckon.TotalsBy, days: number) => call<beckon.Total[]>('Totals', by, days),
  /** The newest decisions, or those behind a page's `next`. */
  decisions: (filter: beckon.DecisionFilter, after: string) =>
    call<beckon.DecisionPage>('Decisions', filter, after),
  /** In the order of the ids, of which there are 50 at most. */
  ledTo: (ids: string[]) => call<beckon.Led[]>('LedTo', ids),
  decision: (id: string) => call<beckon.DecisionDetails>('Decision', id),
  /** What deciding differently would do. */
  previewChoice: (id: string) => call<beckon.ChoicePreview>('PreviewChoice', id),
  chooseDifferently: (id: string, answer: beckon.Answer) =>
    call<beckon.ChoiceDone>('ChooseDifferently', id, answer),
  /** Makes a task's work what it was before the last `chooseDifferently`. */
  takeChoiceBack: (taskId: string, id: string) => call<beckon.Task>('TakeChoiceBack', taskId, id),
  /** Why a question cannot be answered with two answers; null where it can. */
  tryTwoRefusal: (questionId: string) => call<beckon.Reason | null>('TryTwoRefusal', questionId),
  /** Its agent goes on with the first answer, and the returned task begins at its checkpoint with the other. */
  tryTwo: (questionId: string, first: beckon.Answer, other: beckon.Answer) =>
    call<beckon.Task>('TryTwo', questionId, first, other),
  compareAttempts: (taskId: string) => call<beckon.Comparison>('CompareAttempts', taskId),
  /** A file from the first attempt to the second. */
  attemptFile: (taskId: string, path: string) => call<beckon.FileDiff>('AttemptFile', taskId, path),
  /** The other attempt goes to the archive. */
  keepAttempt: (taskId: string) => call<void>('KeepAttempt', taskId),
  /** The task's agent takes over what is wanted of the other attempt. */
  mixAttempts: (taskId: string, words: string) => call<beckon.Task>('MixAttempts', taskId, words),
  /** The path of the new file, and how many rows it has. */
  exportDecisions: (filter: beckon.DecisionFilter, format: 'csv' | 'md' | 'json') =>
    call<{ path: string; rows: number }>('ExportDecisions', filter, format),
  /** Why lines of a task's changes are there. */
  why: (taskId: string, lines: beckon.ChangedLines) => call<beckon.WhyAnswer>('Why', taskId, lines),
  numbers: (days: number) => call<beckon.Numbers>('Numbers', days),
  /** The largest changes of a task, and when it took how many tokens. */
  figures: (taskId: string) => call<beckon.Figures>('Figures', taskId),
  /** The path of the new file, and how many rows it has. */
  exportNumbers: (days: number, projectId: string) =>
    call<{ path: string; rows: number }>('ExportNumbers', days, projectId),
  templates: () => call<beckon.Template[]>('Templates'),
  saveTemplate: (template: beckon.Template) => call<beckon.Template>('SaveTemplate', template),
  deleteTemplate: (id: string) => call<void>('DeleteTemplate', id),
  runTemplate: (id: string) => call<beckon.Task>('RunTemplate', id),
  /** The next times of a line of cron, in milliseconds. */
  scheduleTimes: (schedule: string) => call<number[]>('ScheduleTimes', schedule),
  findBranches: (projectId: string, typed: string) =>
    call<beckon.BranchSearch>('FindBranches', projectId, typed),
  /** The newest pull requests that are open on the project's server. */
  openPulls: (projectId: string) => call<beckon.ForgeItem[]>('OpenPulls', projectId),
  /** Asks gh or glab for what `#412` or an address names. */
  findOnForge: (projectId: string, typed: string) =>
    call<beckon.ForgeItem>('FindOnForge', projectId, typed),
  findProjectFiles: (projectId: string, typed: string, limit: number) =>
    call<string[]>('FindProjectFiles', projectId, typed, limit),
  findFiles: (taskId: string, typed: string, limit: number) =>
    call<string[]>('FindFiles', taskId, typed, limit),
  switchModel: (taskId: string, model: string) => call<void>('SwitchModel', taskId, model),
  switchMode: (taskId: string, mode: beckon.PermissionMode) =>
    call<void>('SwitchMode', taskId, mode),
  switchEffort: (taskId: string, effort: string) => call<void>('SwitchEffort', taskId, effort),
  contextUsage: (taskId: string) => call<beckon.ContextUsage>('ContextUsage', taskId),
  toolServers: (taskId: string) => call<beckon.ToolServer[]>('ToolServers', taskId),
  reconnectServer: (taskId: string, name: string) => call<void>('ReconnectServer', taskId, name),
  previewRewind: (taskId: string, messageId: string) =>
    call<beckon.Rewind>('PreviewRewind', taskId, messageId),
  rewind: (taskId: string, messageId: string) => call<beckon.Rewind>('Rewind', taskId, messageId),
  fork: (taskId: string) => call<beckon.Task>('Fork', taskId),
  interrupt: (taskId: string) => call<void>('Interrupt', taskId),
  stop: (taskId: string) => call<void>('Stop', taskId),
  changeAnswer: (id: string, changes: number, answer: beckon.Answer) =>
    call<void>('ChangeAnswer', id, changes, answer),
  answerQuestion: (id: string, answer: beckon.Answer) => call<void>('AnswerQuestion', id, answer),
  /** Has answers typed into the terminals of a version of Claude Code that Beckon does not know. */
  allowKeys: (questionId: string) => call<void>('AllowKeys', questionId),
  /** Brings the terminal of a session elsewhere to the front of its tmux. */
  showTerminal: (sessionId: string) => call<void>('ShowTerminal', sessionId),
  /** The sessions elsewhere that ended within a day, the newest first. */
  endedSessions: () => call<beckon.OutsideSession[]>('EndedSessions'),
  /** Makes a session elsewhere, or a copy of it, the chat of a new task. */
  continueSession: (sessionId: string, copied: boolean) =>
    call<beckon.Task>('ContinueSession', sessionId, copied),
  /** Has a session continued once it is closed where it runs, or takes that back. */
  awaitSession: (sessionId: string, wanted: boolean) =>
    call<void>('AwaitSession', sessionId, wanted),
  /** What continues a run's session in a terminal. */
  terminalCommand: (runId: string) => call<string>('TerminalCommand', runId),
  /** A folder of Claude Code's files as the settings have it. */
  checkRoot: (dir: string) => call<string>('CheckRoot', dir),
  hookStates: () => call<beckon.HookState[]>('HookStates'),
  /** Writes nothing. */
  previewHook: (root: string, install: boolean) =>
    call<beckon.HookChange>('PreviewHook', root, install),
  /** `token` is that of the change the person was shown. */
  changeHook: (root: string, install: boolean, token: string) =>
    call<beckon.HookChange>('ChangeHook', root, install, token),
  channels: () => call<beckon.Channels>('Channels'),
  switchChannel: (channel: beckon.Channel, on: boolean) => call<void>('SwitchChannel', channel, on),
  switchChannelsOff: () => call<void>('SwitchChannelsOff'),
  /** Has an optional part leave by a channel, or not. */
  choosePart: (channel: beckon.Channel, part: beckon.Part, on: boolean) =>
    call<void>('ChoosePart', channel, part, on),
  /** Returns the key of its signatures, which comes once. */
  setHook: (address: beckon.HookAddress) => call<string>('SetHook', address),
  /** Checks a bot's token with Telegram and keeps it; returns the bot's name. */
  setTelegram: (token: string) => call<string>('SetTelegram', token),
  phone: () => call<beckon.PhoneSetup>('Phone'),
  /** Keeps the address that a tunnel gives Beckon, `https://name`; empty forgets it, and switches phones off. */
  setPhone: (origin: string) => call<beckon.PhoneSetup>('SetPhone', origin),
  pairDevice: (channel: beckon.Channel) => call<beckon.Pairing>('PairDevice', channel),
  cancelPairing: (channel: beckon.Channel) => call<void>('CancelPairing', channel),
  /** After too many wrong codes. */
  allowPairing: (channel: beckon.Channel) => call<void>('AllowPairing', channel),
  /** Lets a phone in that was paired. */
  confirmDevice: (id: string) => call<void>('ConfirmDevice', id),
  devices: () => call<beckon.Device[]>('Devices'),
  editDevice: (id: string, rights: beckon.Rights) => call<void>('EditDevice', id, rights),
  showDevice: (id: string, projects: string[], kinds: string[]) =>
    call<void>('ShowDevice', id, projects, kinds),
  removeDevice: (id: string) => call<void>('RemoveDevice', id),
  tryHook: () => call<void>('TryHook'),
  dismissQuestion: (id: string) => call<void>('DismissQuestion', id),
  holdQuestion: (id: string, held: boolean) => call<void>('HoldQuestion', id, held),
  /** Has a question that is in sight not told once more. */
  lookedAt: (id: string) => call<void>('LookedAt', id),
  /** Holds all clocks, those of questions that are yet to come too, until it is let go. */
  holdAll: (held: boolean) => call<void>('HoldAll', held),
  /** An empty text drops the draft. */
  saveDraft: (id: string, text: string) => call<void>('SaveDraft', id, text),
  drafts: () => call<beckon.Draft[]>('Drafts'),
  answeredSince: (since: number) => call<beckon.Question[]>('AnsweredSince', since),
  rules: () => call<beckon.Rule[]>('Rules'),
  editRule: (edit: beckon.Rule) => call<beckon.Rule>('EditRule', edit),
  revokeRule: (id: string) => call<void>('RevokeRule', id),
};
