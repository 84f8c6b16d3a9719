// The types of what crosses between Beckon and the page.
//
// Wails generates classes and enums; the wire carries plain objects and words.
// Here each generated type becomes what really arrives, under the same name,
// so that `beckon.Task` of the page is `beckon.Task` of the Go code.
import type {
  api,
  attempt as comparing,
  beckon as go,
  claude,
  decisions,
  executing,
  hooks,
  importing,
  nearby,
  notifying,
  numbers,
  reason,
  remote,
  replay,
  reviewing,
  rewind,
  since,
  spending,
  starting,
  timeline,
  why,
} from '../../wailsjs/go/models';
import type * as App from '../../wailsjs/go/main/App';

type Fields<T> = { [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: T[K] };

/** What arrives: enums as their words, classes as plain objects. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends number | boolean | undefined | null | void
    ? T
    : T extends (infer E)[]
      ? Plain<E>[]
      : { [K in keyof Fields<T>]: Plain<Fields<T>[K]> };

/** The same where Go's zero value, the empty word, has a meaning. */
type Loose<T> = T extends string
  ? `${T}` | ''
  : T extends number | boolean | undefined | null | void
    ? T
    : T extends (infer E)[]
      ? Loose<E>[]
      : { [K in keyof Fields<T>]: Loose<Fields<T>[K]> };

export type Reason = Plain<reason.Reason>;
export type Status = Plain<go.Status>;
export type PermissionMode = Plain<go.PermissionMode>;
export type Policy = Plain<go.Policy>;
export type RunKind = Plain<go.RunKind>;
export type Phase = Plain<go.Phase>;
export type Outcome = Plain<go.Outcome>;
export type Verb = Plain<go.Verb>;
export type QuestionKind = Plain<go.QuestionKind>;
export type Settlement = Plain<go.Settlement>;
export type Verdict = Plain<go.Verdict>;
export type EntryKind = Plain<go.EntryKind>;
export type FileChange = Plain<go.FileChange>;
export type FileKind = Plain<go.FileKind>;

/** `claudeTrouble` is empty where claude can be used. */
export type About = Omit<Loose<go.About>, 'agents' | 'trials'> & {
  agents: AgentKind[];
  trials: AgentTrial[];
};
/** `cost` is empty where it says nothing of it. */
export type AgentKind = Plain<Omit<go.AgentKind, 'cost' | 'convertValues'>> & {
  cost: Loose<go.AgentCost>;
};
export type AgentTrial = Plain<go.AgentTrial>;
export type OwnAgent = Plain<go.OwnAgent>;
export type Settings = Plain<go.Settings>;
export type Project = Plain<go.Project>;
/** A further repository of a project. */
export type ProjectRepository = Plain<reviewing.Repository>;
/** The work of a task in one repository. */
export type TaskPart = Plain<reviewing.Part>;
export type PartState = Plain<reviewing.PartState>;
export type PartOrder = Loose<reviewing.PartOrder>;
export type NewProject = Plain<go.NewProject>;
export type ProjectFound = Plain<go.ProjectFound>;
export type Account = Plain<claude.Login>;
export type Repository = Plain<nearby.Repository>;
export type NearbyFound = { repositories: Repository[]; cut: boolean };
export type Folder = Plain<nearby.Folder>;
export type Brought = Plain<go.Brought>;
export type Offer = Plain<go.Offer>;

export type Resolution = Plain<go.Resolution>;
/** `resolution` is empty where there is none, `archivedFrom` and `restoresTo` unless it is archived. */
export type Task = Omit<
  Plain<go.Task>,
  'resume' | 'resolution' | 'archivedFrom' | 'restoresTo' | 'start'
> & {
  start: Start;
  resume: Resume;
  resolution: Resolution | '';
  archivedFrom: Status | '';
  restoresTo: Status | '';
};
export type Resume = Loose<go.Resume>;
/** `status` is empty where it is unknown. */
export type OutsideSession = Omit<Plain<go.OutsideSession>, 'status'> & {
  status: Plain<go.OutsideStatus> | '';
};
export type AnswerWay = Plain<go.AnswerWay>;
export type HookState = Plain<hooks.State>;
export type HookChange = Plain<hooks.Shown>;
export type Channel = Plain<remote.Channel>;
export type Part = Plain<remote.Part>;
export type HookShape = Plain<remote.Shape>;
export type HookAddress = Plain<remote.Address>;
/** `shape` is empty for channels that have none, `trouble` where there is none. */
export type ChannelState = Omit<
  Plain<remote.State>,
  'shape' | 'trouble' | 'chosen' | 'always' | 'optional' | 'byRight'
> & {
  shape: HookShape | '';
  trouble: Plain<remote.Trouble> | '';
  chosen: Part[];
  always: Part[];
  optional: Part[];
  byRight: Part[];
};
export type Device = Plain<remote.Device>;
export type Rights = Plain<remote.Rights>;
export type Pairing = Plain<remote.Pairing>;
export type PhoneSetup = Plain<remote.PhoneSetup>;
export type Channels = { all: ChannelState[]; inFile: boolean; asking: Device[] };
/** A newer version, and the page that describes it; one without a name is none. */
export type ReleaseNotice = Omit<Plain<go.ReleaseNotice>, 'way'> & {
  way: Plain<go.InstallWay> | '';
};
/** How a board is looked at, under a name. */
export type View = Plain<go.View>;
export type Conflict = Plain<reviewing.Conflict>;
export type ConflictSide = Plain<reviewing.ConflictSide>;
export type TakenSides = Plain<reviewing.TakenSides>;
export type ByHand = Plain<reviewing.ByHand>;
export type PullRequest = Plain<reviewing.PullRequest>;
export type PullProposal = Plain<reviewing.PullProposal>;
export type PullOrder = Plain<reviewing.PullOrder>;
export type DiskUse = Plain<go.DiskUse>;
/** How a command of a project ran the last time in a task's worktree. */
export type ScriptRun = Plain<go.ScriptRun>;
export type ScriptKind = Plain<go.ScriptKind>;
export type ScriptSet = Plain<go.ScriptSet>;
export type ScriptOutput = Plain<go.ScriptOutput>;
export type Terminal = Plain<executing.Terminal>;
export type TerminalSize = Plain<executing.TerminalSize>;
export type TerminalOutput = Plain<executing.TerminalOutput>;
export type OutsideAsk = Plain<go.OutsideAsk>;
/** What a person changed on cards; `kind` is empty where that is nothing. */
export type ChangeStep = Loose<go.ChangeStep>;
export type ChangeRefusal = Plain<go.ChangeRefusal>;
export type ChangeResult = { step: ChangeStep; refused: ChangeRefusal[] };
export type MergeWay = Plain<reviewing.MergeWay>;
export type MergeOrder = Loose<reviewing.MergeOrder>;
export type MergeProposal = Plain<reviewing.MergeProposal>;
/** One change of many cards: `kind` says which of the values count. */
export type ManyChange = Pick<Plain<go.ManyChange>, 'kind'> & Partial<Plain<go.ManyChange>>;
export type NewTask = Omit<Loose<go.NewTask>, 'templateId'>;
export type Template = Omit<Plain<go.Template>, 'task'> & { task: NewTask };
/** An empty `kind` is a new branch. */
export type Start = Loose<starting.Start>;
export type BranchSearch = Plain<starting.BranchSearch>;
export type FoundBranch = Plain<starting.FoundBranch>;
export type ForgeItem = Loose<starting.Item>;
export type ImportSource = Plain<importing.Source>;
export type ImportField = Plain<importing.Field>;
export type ImportColumn = Plain<importing.Column>;
export type ImportWhy = Plain<importing.Why>;
export type ImportPlaces = Plain<importing.Places>;
export type ImportQuery = Loose<importing.Query>;
/** A column without a `field`, and a state without a `to`, are left out. */
export type ImportTableColumn = Loose<importing.TableColumn>;
export type ImportRow = Plain<importing.Row>;
export type ImportRefusal = Plain<importing.Refusal>;
export type ImportFound = Omit<
  Plain<importing.Found>,
  'columns' | 'states' | 'rows' | 'refusals'
> & {
  columns: ImportTableColumn[];
  states: Loose<importing.StateCount>[];
  rows: ImportRow[];
  refusals: ImportRefusal[];
};
export type ImportOrder = Omit<Plain<importing.Order>, 'picks'> & {
  picks: Plain<importing.Pick>[];
};
export type TaskEdit = Loose<go.TaskEdit>;
export type DiffStretch = Plain<reviewing.Stretch>;
export type DiffLines = Plain<reviewing.Lines>;
export type DiffSpot = Plain<reviewing.Spot>;
export type DiffSide = Plain<reviewing.Side>;
export type DiffPicture = Plain<reviewing.Picture>;
/** How a task's changes are looked at. */
export type DiffView = Plain<reviewing.View>;
export type DiffFileOf = Plain<reviewing.File>;
/** What a task's changes can be looked at by. */
export type ChangeRanges = Plain<reviewing.Ranges>;
export type ChangeTurn = Plain<reviewing.Turn>;
export type Comment = Plain<reviewing.Comment>;
export type CommentEdit = Plain<reviewing.CommentEdit>;
export type CommentLines = Plain<reviewing.CommentLines>;
export type CommentSide = Plain<reviewing.CommentSide>;
/** How a task's comments stand. */
/** A discussion on a task's pull request; its lines are 0 where it is about the whole file. */
export type Thread = Plain<reviewing.Thread>;
export type FailedCheck = Plain<reviewing.FailedCheck>;
export type CommentCount = Plain<reviewing.CommentCount>;
export type Changes = Plain<go.Changes>;
export type Spent = Plain<go.Spent>;
export type Loss = Plain<go.Loss>;

/** `verb` is empty while the agent does nothing. */
export type Activity = Loose<go.Activity>;
/** `outcome` is empty while the run lives. */
export type Run = Omit<Plain<go.Run>, 'outcome' | 'activity' | 'waits'> & {
  outcome: Outcome | '';
  activity: Activity;
  waits: RunWaits;
};

export type Option = Plain<go.Option>;
export type QuestionItem = Plain<go.QuestionItem>;
export type PermissionRequest = Plain<go.PermissionRequest>;
export type ItemAnswer = Plain<go.ItemAnswer>;
/** `verdict` is empty in the answer to an ask. */
export type Answer = Loose<go.Answer>;
export type Draft = Plain<go.Draft>;
export type Disk = Plain<go.Disk>;
export type Flood = Plain<go.Flood>;
export type Floods = Omit<Plain<go.Floods>, 'floods'> & { floods: Flood[] };
export type Rule = Plain<go.Rule>;
export type BudgetScope = Plain<spending.Scope>;
export type Sum = Plain<spending.Sum>;
export type Limit = Plain<spending.Limit>;
/** `level` is empty while less than four fifths are used up. */
export type Budget = Omit<Plain<spending.Budget>, 'level'> & { level: 'near' | 'reached' | '' };
export type QuotaWindow = Plain<spending.Window>;
export type Numbers = Plain<numbers.Numbers>;
/** What is left of the decisions. `from` is where they were made: as of an answer, "clock" or "agent"; "" leaves all. */
export type DecisionFilter = Omit<Plain<decisions.Filter>, 'kind' | 'from'> & {
  kind: '' | 'question' | 'permission' | 'plan';
  from: Answer['by'] | 'clock' | 'agent';
};
export type DecisionCounts = Plain<decisions.Counts>;
export interface DecisionPage {
  rows: Question[];
  /** The other answers to those of the rows that were chosen differently later, by their ids. */
  instead: Record<string, Answer>;
  /** What the following page begins after; empty at the end. */
  next: string;
  /** Of the first page only. */
  counts?: DecisionCounts;
}
/** What a decision led to; without `known` nothing can be said. */
export type Led = Plain<since.Led>;
export interface DecisionDetails {
  question: Question;
  led: Led;
  /** The largest ones, two at most. */
  files: FileDiff[];
  /** What was decided later in the same run. */
  after: Question[];
}
/** What deciding differently would do; `why` is why it cannot be done now. */
export type ChoicePreview = Omit<Plain<rewind.Preview>, 'question' | 'later' | 'done' | 'why'> & {
  question: Question;
  why?: Reason;
  /** What was decided later in the same run. */
  later: Question[];
  /** What was done last with the task, and can be taken back. */
  done?: ChoiceDone;
};
/** What was chosen differently. */
export type ChoiceDone = Omit<Plain<rewind.Done>, 'answer'> & { answer: Answer };
/** What two attempts have changed, the first one first. */
export type Comparison = Omit<Plain<comparing.Comparison>, 'files'> & { files: ComparedFile[] };
/** A side is null where that attempt did nothing to it. */
export type ComparedFile = Omit<Plain<comparing.ComparedFile>, 'sides'> & {
  sides: (Plain<comparing.ComparedSide> | null)[];
};
export type ChangedLines = Plain<reviewing.ChangedLines>;
/** A tool call that changed lines, and what led to it. */
export type WhyCall = Omit<Plain<why.Call>, 'question'> & { question?: Question };
export type WhyReason = Omit<Plain<why.Reason>, 'calls'> & { calls: WhyCall[] };
export interface WhyAnswer {
  state: 'known' | 'tooLarge' | 'noText' | 'noTurn' | 'noChange';
  /** Of most lines first. */
  reasons: WhyReason[];
}
/** What a task's runs did when, and when its files were recorded. */
export type Timeline = Omit<Plain<replay.Timeline>, 'lost'> & { lost: TimelinePart[] };
export type TimelineRun = Plain<replay.Run>;
export type TimelineTurn = Plain<timeline.Turn>;
export type FilesAt = Omit<Plain<replay.Files>, 'lacks'> & { lacks: Lack[] };
export type TimelineMoment = Plain<replay.Moment>;
export type TimelinePart = Plain<replay.Part>;
export type Lack = Plain<replay.Lack>;
export type Against = Plain<replay.Against>;
export type Figures = Plain<api.Figures>;
export type FileSize = Plain<reviewing.FileSize>;
export type Spell = Plain<numbers.Spell>;
export type NumbersFact = Plain<numbers.Fact>;
/** Whose a fact is, and of which day. */
export type NumbersSubject = Pick<
  NumbersFact,
  'day' | 'taskId' | 'projectId' | 'agent' | 'model' | 'executor'
>;
export type TotalsBy = Plain<spending.By>;
export type Total = Plain<spending.Total>;
/** What was taken, and what is allowed. */
export interface Spending {
  budgets: Budget[];
  today: Sum;
  windows: QuotaWindow[];
}
export type Question = Omit<Plain<go.Question>, 'answer' | 'earlier' | 'budget'> & {
  budget?: Plain<spending.Asked>;
  answer?: Answer;
  earlier?: Answer[];
};

export type Manner = Plain<go.Manner>;
export type Message = Plain<go.Message>;
export type NewMessage = Loose<go.NewMessage>;
export type MessageQueue = Plain<go.MessageQueue>;
export type Image = Plain<go.Image>;
export type NewImage = Plain<go.NewImage>;
export type Abilities = Plain<go.Abilities>;
export type Model = Plain<go.Model>;
export type Command = Plain<go.Command>;
export type Gauge = Plain<go.Gauge>;
export type ContextUsage = Plain<go.ContextUsage>;
export type ToolServer = Plain<go.ToolServer>;
export type Rewind = Plain<go.Rewind>;
export type Mission = Plain<go.Mission>;
export type Pane = Plain<go.Pane>;
export type SearchQuery = Loose<go.SearchQuery>;
export type SearchPage = Plain<go.SearchPage>;
export type Hit = Plain<go.SearchHit>;
export type Landmark = Plain<go.Landmark>;
export type ExportFormat = Plain<go.ExportFormat>;
export type Picture = Plain<go.Picture>;
export type Slept = Plain<go.Slept>;
export type Awake = Plain<go.Awake>;
export type NoticeKind = Plain<notifying.Kind>;
export type How = Plain<notifying.How>;
/** What the back end decided to tell: what shows it adds nothing. */
export type Notice = Plain<notifying.Notice>;
export type Notify = Plain<notifying.Settings>;
/** `for` is empty while its start waits for nothing. */
export type RunWaits = Loose<executing.Waits>;
/** Where runs execute besides this computer. */
export type Along = Plain<executing.Along>;
export type Executor = Plain<executing.Executor>;
export type ExecutorStatus = Plain<executing.Status>;
/** What ssh asks before an executor can be reached, and what is said to it. */
export type ExecutorAsk = Plain<executing.Ask>;
export type ExecutorReply = Plain<executing.Reply>;
/** What Beckon has on an executor. */
export type ExecutorLeft = Plain<executing.Left>;
export type ShellEvent = Plain<go.PageCall>;
export type QuitChoice = Plain<go.QuitChoice>;

export type Entry = Plain<go.Entry>;
export type ToolCall = Plain<go.ToolCall>;
export type TurnEnd = Plain<go.TurnEnd>;
export type Live = Plain<go.Live>;
export type TranscriptPage = Plain<go.TranscriptPage>;
export type ReviewDiff = Plain<go.ReviewDiff>;
export type FileDiff = Plain<go.FileDiff>;

export type Event = Omit<
  Plain<go.Event>,
  | 'spending'
  | 'pull'
  | 'script'
  | 'run'
  | 'question'
  | 'task'
  | 'session'
  | 'channels'
  | 'views'
  | 'release'
> & {
  spending?: Spending;
  release?: ReleaseNotice;
  slept?: Slept;
  pull?: PullRequest;
  script?: ScriptRun;
  views?: { all: View[] };
  channels?: Channels;
  run?: Run;
  question?: Question;
  task?: Task;
  session?: OutsideSession;
};
export type Frame = Omit<Plain<go.Frame>, 'events'> & { events: Event[] };

/** The name of a bound method. */
export type Method = keyof typeof App;
