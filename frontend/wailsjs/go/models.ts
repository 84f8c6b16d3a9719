export namespace api {
	
	export class Exported {
	    path: string;
	    rows: number;
	
	    static createFrom(source: any = {}) {
	        return new Exported(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.rows = source["rows"];
	    }
	}
	export class Figures {
	    files: reviewing.FileSize[];
	    spells: numbers.Spell[];
	
	    static createFrom(source: any = {}) {
	        return new Figures(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = this.convertValues(source["files"], reviewing.FileSize);
	        this.spells = this.convertValues(source["spells"], numbers.Spell);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace attempt {
	
	export class ComparedSide {
	    change: beckon.FileChange;
	    oldPath: string;
	    added: number;
	    removed: number;
	    binary: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ComparedSide(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.change = source["change"];
	        this.oldPath = source["oldPath"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.binary = source["binary"];
	    }
	}
	export class ComparedFile {
	    path: string;
	    sides: ComparedSide[];
	    same: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ComparedFile(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.sides = this.convertValues(source["sides"], ComparedSide);
	        this.same = source["same"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Comparison {
	    tasks: string[];
	    base: string;
	    files: ComparedFile[];
	    count: number;
	    differ: number;
	    sums: beckon.Changes[];
	
	    static createFrom(source: any = {}) {
	        return new Comparison(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tasks = source["tasks"];
	        this.base = source["base"];
	        this.files = this.convertValues(source["files"], ComparedFile);
	        this.count = source["count"];
	        this.differ = source["differ"];
	        this.sums = this.convertValues(source["sums"], beckon.Changes);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace beckon {
	
	export enum AgentAsks {
	    own = "own",
	    text = "text",
	    tool = "tool",
	}
	export enum AgentCost {
	    money = "money",
	    tokens = "tokens",
	}
	export enum AnswerWay {
	    hook = "hook",
	    keys = "keys",
	    terminal = "terminal",
	}
	export enum AwakeState {
	    battery = "battery",
	    idle = "idle",
	    kept = "kept",
	    unavailable = "unavailable",
	}
	export enum BroughtKind {
	    config = "config",
	    containers = "containers",
	    filters = "filters",
	    hooks = "hooks",
	    instructions = "instructions",
	    others = "others",
	    servers = "servers",
	    settings = "settings",
	    submodules = "submodules",
	    tools = "tools",
	}
	export enum By {
	    notification = "notification",
	    phone = "phone",
	    rule = "rule",
	    telegram = "telegram",
	    terminal = "terminal",
	    tray = "tray",
	    user = "user",
	}
	export enum ChangeKind {
	    agent = "agent",
	    archive = "archive",
	    close = "close",
	    create = "create",
	    delete = "delete",
	    discard = "discard",
	    edit = "edit",
	    executor = "executor",
	    label = "label",
	    merge = "merge",
	    model = "model",
	    move = "move",
	    policy = "policy",
	    priority = "priority",
	    project = "project",
	    queue = "queue",
	    restore = "restore",
	    update = "update",
	}
	export enum ClaudeTrouble {
	    missing = "missing",
	    old = "old",
	    silent = "silent",
	}
	export enum EntryKind {
	    notice = "notice",
	    question = "question",
	    text = "text",
	    thinking = "thinking",
	    tool = "tool",
	    turn = "turn",
	    user = "user",
	}
	export enum ExportFormat {
	    html = "html",
	    json = "json",
	}
	export enum FileChange {
	    A = "A",
	    D = "D",
	    M = "M",
	    R = "R",
	}
	export enum FileKind {
	    file = "file",
	    link = "link",
	    submodule = "submodule",
	}
	export enum InstallWay {
	    archive = "archive",
	    diskImage = "diskImage",
	    installer = "installer",
	    package = "package",
	}
	export enum Manner {
	    queue = "queue",
	    redirect = "redirect",
	    steer = "steer",
	}
	export enum Missed {
	    once = "once",
	    skip = "skip",
	}
	export enum Outcome {
	    failed = "failed",
	    limited = "limited",
	    lost = "lost",
	    parked = "parked",
	    stopped = "stopped",
	    succeeded = "succeeded",
	}
	export enum OutsideStatus {
	    busy = "busy",
	    idle = "idle",
	    waiting = "waiting",
	}
	export enum PageCallKind {
	    answerNext = "answerNext",
	    files = "files",
	    folder = "folder",
	    hint = "hint",
	    newTask = "newTask",
	    quit = "quit",
	    show = "show",
	    trouble = "trouble",
	}
	export enum PermissionMode {
	    acceptEdits = "acceptEdits",
	    auto = "auto",
	    bypassPermissions = "bypassPermissions",
	    default = "default",
	    plan = "plan",
	}
	export enum Phase {
	    asking = "asking",
	    ended = "ended",
	    idle = "idle",
	    saving = "saving",
	    starting = "starting",
	    working = "working",
	}
	export enum Policy {
	    park = "park",
	    proceed = "proceed",
	    wait = "wait",
	}
	export enum QuestionKind {
	    ask = "ask",
	    elicitation = "elicitation",
	    permission = "permission",
	    plan = "plan",
	}
	export enum QuitChoice {
	    ask = "ask",
	    park = "park",
	    stop = "stop",
	}
	export enum Resolution {
	    closed = "closed",
	    discarded = "discarded",
	    merged = "merged",
	}
	export enum RunKind {
	    chat = "chat",
	    external = "external",
	    task = "task",
	}
	export enum ScriptKind {
	    check = "check",
	    dev = "dev",
	    setup = "setup",
	}
	export enum ScriptState {
	    failed = "failed",
	    late = "late",
	    lost = "lost",
	    passed = "passed",
	    running = "running",
	    stopped = "stopped",
	}
	export enum Setback {
	    limit = "limit",
	    overload = "overload",
	}
	export enum Settlement {
	    answered = "answered",
	    expired = "expired",
	    open = "open",
	    orphaned = "orphaned",
	    withdrawn = "withdrawn",
	}
	export enum Status {
	    archived = "archived",
	    backlog = "backlog",
	    done = "done",
	    queued = "queued",
	    review = "review",
	    running = "running",
	}
	export enum TrialKind {
	    answered = "answered",
	    left = "left",
	    opened = "opened",
	    started = "started",
	}
	export enum Verb {
	    asking = "asking",
	    background = "background",
	    delegating = "delegating",
	    editing = "editing",
	    executing = "executing",
	    fetching = "fetching",
	    planning = "planning",
	    reading = "reading",
	    searching = "searching",
	    thinking = "thinking",
	    using = "using",
	    waiting = "waiting",
	    writing = "writing",
	}
	export enum Verdict {
	    allow = "allow",
	    allowAlways = "allowAlways",
	    deny = "deny",
	    skip = "skip",
	}
	export enum ViewField {
	    agent = "agent",
	    file = "file",
	    label = "label",
	    model = "model",
	    priority = "priority",
	    project = "project",
	    state = "state",
	    text = "text",
	    waiting = "waiting",
	}
	export enum ViewGroup {
	    agent = "agent",
	    label = "label",
	    none = "none",
	    priority = "priority",
	    project = "project",
	}
	export enum ViewPart {
	    branch = "branch",
	    changes = "changes",
	    labels = "labels",
	    model = "model",
	    priority = "priority",
	    spent = "spent",
	    time = "time",
	}
	export enum ViewSort {
	    created = "created",
	    manual = "manual",
	    priority = "priority",
	    updated = "updated",
	}
	export class Command {
	    name: string;
	    description: string;
	    hint: string;
	
	    static createFrom(source: any = {}) {
	        return new Command(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.description = source["description"];
	        this.hint = source["hint"];
	    }
	}
	export class Model {
	    value: string;
	    resolved: string;
	    name: string;
	    description: string;
	    efforts: string[];
	    auto: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Model(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.value = source["value"];
	        this.resolved = source["resolved"];
	        this.name = source["name"];
	        this.description = source["description"];
	        this.efforts = source["efforts"];
	        this.auto = source["auto"];
	    }
	}
	export class Abilities {
	    models: Model[];
	    commands: Command[];
	
	    static createFrom(source: any = {}) {
	        return new Abilities(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.models = this.convertValues(source["models"], Model);
	        this.commands = this.convertValues(source["commands"], Command);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TrialStep {
	    kind: TrialKind;
	    ms: number;
	
	    static createFrom(source: any = {}) {
	        return new TrialStep(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.ms = source["ms"];
	    }
	}
	export class AgentTrial {
	    agent: string;
	    at: number;
	    steps: TrialStep[];
	    why?: reason.Reason;
	    signIn: boolean;
	    tokens: number;
	    cost: number;
	
	    static createFrom(source: any = {}) {
	        return new AgentTrial(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.agent = source["agent"];
	        this.at = source["at"];
	        this.steps = this.convertValues(source["steps"], TrialStep);
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.signIn = source["signIn"];
	        this.tokens = source["tokens"];
	        this.cost = source["cost"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class AgentKind {
	    name: string;
	    label: string;
	    sign: string;
	    own: boolean;
	    found: boolean;
	    program: string;
	    install: string;
	    signIn: string;
	    asks: AgentAsks;
	    plans: boolean;
	    resumes: boolean;
	    cost: AgentCost;
	    models: Model[];
	
	    static createFrom(source: any = {}) {
	        return new AgentKind(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.label = source["label"];
	        this.sign = source["sign"];
	        this.own = source["own"];
	        this.found = source["found"];
	        this.program = source["program"];
	        this.install = source["install"];
	        this.signIn = source["signIn"];
	        this.asks = source["asks"];
	        this.plans = source["plans"];
	        this.resumes = source["resumes"];
	        this.cost = source["cost"];
	        this.models = this.convertValues(source["models"], Model);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Tried {
	    from: string;
	    to: string;
	    newer: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Tried(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.from = source["from"];
	        this.to = source["to"];
	        this.newer = source["newer"];
	    }
	}
	export class Build {
	    commit: string;
	    date: string;
	    notices: string;
	
	    static createFrom(source: any = {}) {
	        return new Build(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.commit = source["commit"];
	        this.date = source["date"];
	        this.notices = source["notices"];
	    }
	}
	export class About {
	    version: string;
	    build: Build;
	    claudePath: string;
	    claudeVersion: string;
	    claudeTrouble: ClaudeTrouble;
	    claudeOldest: string;
	    claudeTried: Tried;
	    agents: AgentKind[];
	    trials: AgentTrial[];
	    gitVersion: string;
	    dataDir: string;
	    demo: boolean;
	    updates: boolean;
	    window: boolean;
	    system: string;
	    home: string;
	    observed: string[];
	    polled: string[];
	    tray: boolean;
	    notifications: boolean;
	    awake: AwakeState;
	
	    static createFrom(source: any = {}) {
	        return new About(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.build = this.convertValues(source["build"], Build);
	        this.claudePath = source["claudePath"];
	        this.claudeVersion = source["claudeVersion"];
	        this.claudeTrouble = source["claudeTrouble"];
	        this.claudeOldest = source["claudeOldest"];
	        this.claudeTried = this.convertValues(source["claudeTried"], Tried);
	        this.agents = this.convertValues(source["agents"], AgentKind);
	        this.trials = this.convertValues(source["trials"], AgentTrial);
	        this.gitVersion = source["gitVersion"];
	        this.dataDir = source["dataDir"];
	        this.demo = source["demo"];
	        this.updates = source["updates"];
	        this.window = source["window"];
	        this.system = source["system"];
	        this.home = source["home"];
	        this.observed = source["observed"];
	        this.polled = source["polled"];
	        this.tray = source["tray"];
	        this.notifications = source["notifications"];
	        this.awake = source["awake"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Activity {
	    verb: Verb;
	    target: string;
	    since: number;
	
	    static createFrom(source: any = {}) {
	        return new Activity(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.verb = source["verb"];
	        this.target = source["target"];
	        this.since = source["since"];
	    }
	}
	
	
	export class ItemAnswer {
	    labels: string[];
	    other: string;
	    note?: string;
	
	    static createFrom(source: any = {}) {
	        return new ItemAnswer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.labels = source["labels"];
	        this.other = source["other"];
	        this.note = source["note"];
	    }
	}
	export class Answer {
	    items: ItemAnswer[];
	    verdict: Verdict;
	    text: string;
	    plan?: string;
	    mode?: PermissionMode;
	    project?: boolean;
	    content?: string;
	    standing?: boolean;
	    by: By;
	    byName?: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Answer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.items = this.convertValues(source["items"], ItemAnswer);
	        this.verdict = source["verdict"];
	        this.text = source["text"];
	        this.plan = source["plan"];
	        this.mode = source["mode"];
	        this.project = source["project"];
	        this.content = source["content"];
	        this.standing = source["standing"];
	        this.by = source["by"];
	        this.byName = source["byName"];
	        this.at = source["at"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Awake {
	    on: boolean;
	    asked: boolean;
	    battery: number;
	
	    static createFrom(source: any = {}) {
	        return new Awake(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.on = source["on"];
	        this.asked = source["asked"];
	        this.battery = source["battery"];
	    }
	}
	export class Brought {
	    kind: BroughtKind;
	    names: string[];
	    more: number;
	
	    static createFrom(source: any = {}) {
	        return new Brought(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.names = source["names"];
	        this.more = source["more"];
	    }
	}
	
	export class Failure {
	    code: string;
	    message: string;
	    problem?: string;
	    data?: Record<string, string>;
	    why?: reason.Reason;
	
	    static createFrom(source: any = {}) {
	        return new Failure(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.message = source["message"];
	        this.problem = source["problem"];
	        this.data = source["data"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChangeRefusal {
	    key: string;
	    why: Failure;
	
	    static createFrom(source: any = {}) {
	        return new ChangeRefusal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.key = source["key"];
	        this.why = this.convertValues(source["why"], Failure);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChangeStep {
	    kind: ChangeKind;
	    at: number;
	    keys: string[];
	    taskIds: string[];
	
	    static createFrom(source: any = {}) {
	        return new ChangeStep(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.at = source["at"];
	        this.keys = source["keys"];
	        this.taskIds = source["taskIds"];
	    }
	}
	export class ChangeResult {
	    step: ChangeStep;
	    refused: ChangeRefusal[];
	
	    static createFrom(source: any = {}) {
	        return new ChangeResult(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.step = this.convertValues(source["step"], ChangeStep);
	        this.refused = this.convertValues(source["refused"], ChangeRefusal);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Changes {
	    files: number;
	    added: number;
	    removed: number;
	    commits: number;
	    paths?: string[];
	
	    static createFrom(source: any = {}) {
	        return new Changes(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = source["files"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.commits = source["commits"];
	        this.paths = source["paths"];
	    }
	}
	
	export class ContextPart {
	    name: string;
	    tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new ContextPart(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.tokens = source["tokens"];
	    }
	}
	export class Gauge {
	    tokens: number;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new Gauge(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tokens = source["tokens"];
	        this.limit = source["limit"];
	    }
	}
	export class ContextUsage {
	    gauge: Gauge;
	    parts: ContextPart[];
	
	    static createFrom(source: any = {}) {
	        return new ContextUsage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.gauge = this.convertValues(source["gauge"], Gauge);
	        this.parts = this.convertValues(source["parts"], ContextPart);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Disk {
	    full: boolean;
	    dir: string;
	
	    static createFrom(source: any = {}) {
	        return new Disk(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.full = source["full"];
	        this.dir = source["dir"];
	    }
	}
	export class DiskUse {
	    worktrees: number;
	    spare: number;
	    discarded: number;
	    moments: number;
	    partial: boolean;
	
	    static createFrom(source: any = {}) {
	        return new DiskUse(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.worktrees = source["worktrees"];
	        this.spare = source["spare"];
	        this.discarded = source["discarded"];
	        this.moments = source["moments"];
	        this.partial = source["partial"];
	    }
	}
	export class Draft {
	    questionId: string;
	    taskId: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Draft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.questionId = source["questionId"];
	        this.taskId = source["taskId"];
	        this.text = source["text"];
	    }
	}
	export class Picture {
	    pos: number;
	    index: number;
	    type: string;
	    size: number;
	
	    static createFrom(source: any = {}) {
	        return new Picture(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pos = source["pos"];
	        this.index = source["index"];
	        this.type = source["type"];
	        this.size = source["size"];
	    }
	}
	export class TurnEnd {
	    number: number;
	    failed: boolean;
	    interrupted: boolean;
	    reason: string;
	    durationMs: number;
	    tokens: number;
	    costUsd: number;
	
	    static createFrom(source: any = {}) {
	        return new TurnEnd(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.number = source["number"];
	        this.failed = source["failed"];
	        this.interrupted = source["interrupted"];
	        this.reason = source["reason"];
	        this.durationMs = source["durationMs"];
	        this.tokens = source["tokens"];
	        this.costUsd = source["costUsd"];
	    }
	}
	export class ToolCall {
	    useId: string;
	    name: string;
	    verb: Verb;
	    target: string;
	    input: string;
	    diff: string;
	    added: number;
	    removed: number;
	    done: boolean;
	    failed: boolean;
	    result: string;
	    cut: number;
	    orphan: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ToolCall(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.useId = source["useId"];
	        this.name = source["name"];
	        this.verb = source["verb"];
	        this.target = source["target"];
	        this.input = source["input"];
	        this.diff = source["diff"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.done = source["done"];
	        this.failed = source["failed"];
	        this.result = source["result"];
	        this.cut = source["cut"];
	        this.orphan = source["orphan"];
	    }
	}
	export class Entry {
	    id: string;
	    runId: string;
	    pos: number;
	    part: number;
	    kind: EntryKind;
	    parent: string;
	    text: string;
	    notice: string;
	    tool?: ToolCall;
	    turn?: TurnEnd;
	    pictures?: Picture[];
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Entry(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.runId = source["runId"];
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.kind = source["kind"];
	        this.parent = source["parent"];
	        this.text = source["text"];
	        this.notice = source["notice"];
	        this.tool = this.convertValues(source["tool"], ToolCall);
	        this.turn = this.convertValues(source["turn"], TurnEnd);
	        this.pictures = this.convertValues(source["pictures"], Picture);
	        this.at = source["at"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Live {
	    runId: string;
	    thinking: boolean;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Live(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.runId = source["runId"];
	        this.thinking = source["thinking"];
	        this.text = source["text"];
	    }
	}
	export class Image {
	    id: string;
	    name: string;
	    type: string;
	    size: number;
	
	    static createFrom(source: any = {}) {
	        return new Image(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.type = source["type"];
	        this.size = source["size"];
	    }
	}
	export class Message {
	    id: string;
	    taskId: string;
	    text: string;
	    images: Image[];
	    written: number;
	    sent: number;
	
	    static createFrom(source: any = {}) {
	        return new Message(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.text = source["text"];
	        this.images = this.convertValues(source["images"], Image);
	        this.written = source["written"];
	        this.sent = source["sent"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class MessageQueue {
	    taskId: string;
	    messages: Message[];
	
	    static createFrom(source: any = {}) {
	        return new MessageQueue(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.messages = this.convertValues(source["messages"], Message);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class OutsideAsk {
	    questionId: string;
	    way: AnswerWay;
	    onScreen: boolean;
	
	    static createFrom(source: any = {}) {
	        return new OutsideAsk(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.questionId = source["questionId"];
	        this.way = source["way"];
	        this.onScreen = source["onScreen"];
	    }
	}
	export class OutsideSession {
	    id: string;
	    runId: string;
	    name: string;
	    dir: string;
	    repo: string;
	    root: string;
	    version: string;
	    entrypoint: string;
	    status: OutsideStatus;
	    started: number;
	    ended: number;
	    lastText: string;
	    lastByUser: boolean;
	    lastAt: number;
	    tmux: boolean;
	    agents: string[];
	    awaited: boolean;
	    trouble?: Failure;
	    asks: OutsideAsk[];
	
	    static createFrom(source: any = {}) {
	        return new OutsideSession(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.runId = source["runId"];
	        this.name = source["name"];
	        this.dir = source["dir"];
	        this.repo = source["repo"];
	        this.root = source["root"];
	        this.version = source["version"];
	        this.entrypoint = source["entrypoint"];
	        this.status = source["status"];
	        this.started = source["started"];
	        this.ended = source["ended"];
	        this.lastText = source["lastText"];
	        this.lastByUser = source["lastByUser"];
	        this.lastAt = source["lastAt"];
	        this.tmux = source["tmux"];
	        this.agents = source["agents"];
	        this.awaited = source["awaited"];
	        this.trouble = this.convertValues(source["trouble"], Failure);
	        this.asks = this.convertValues(source["asks"], OutsideAsk);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ScriptRun {
	    id: string;
	    taskId: string;
	    kind: ScriptKind;
	    state: ScriptState;
	    command: string;
	    content: string;
	    code: number;
	    why?: reason.Reason;
	    started: number;
	    ended: number;
	    outdated: boolean;
	    url: string;
	    length: number;
	
	    static createFrom(source: any = {}) {
	        return new ScriptRun(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.kind = source["kind"];
	        this.state = source["state"];
	        this.command = source["command"];
	        this.content = source["content"];
	        this.code = source["code"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.started = source["started"];
	        this.ended = source["ended"];
	        this.outdated = source["outdated"];
	        this.url = source["url"];
	        this.length = source["length"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Slept {
	    from: number;
	    to: number;
	    runs: string[];
	    questions: string[];
	
	    static createFrom(source: any = {}) {
	        return new Slept(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.from = source["from"];
	        this.to = source["to"];
	        this.runs = source["runs"];
	        this.questions = source["questions"];
	    }
	}
	export class ReleaseNotice {
	    version: string;
	    page: string;
	    way: InstallWay;
	    file: string;
	    command: string;
	
	    static createFrom(source: any = {}) {
	        return new ReleaseNotice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.page = source["page"];
	        this.way = source["way"];
	        this.file = source["file"];
	        this.command = source["command"];
	    }
	}
	export class ViewDisplay {
	    group: ViewGroup;
	    sort: ViewSort;
	    shows: string[];
	    hideDone: boolean;
	    hideEmpty: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ViewDisplay(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.group = source["group"];
	        this.sort = source["sort"];
	        this.shows = source["shows"];
	        this.hideDone = source["hideDone"];
	        this.hideEmpty = source["hideEmpty"];
	    }
	}
	export class ViewClause {
	    field: ViewField;
	    not: boolean;
	    values: string[];
	
	    static createFrom(source: any = {}) {
	        return new ViewClause(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.field = source["field"];
	        this.not = source["not"];
	        this.values = source["values"];
	    }
	}
	export class View {
	    id: string;
	    name: string;
	    clauses: ViewClause[];
	    display: ViewDisplay;
	    created: number;
	
	    static createFrom(source: any = {}) {
	        return new View(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.clauses = this.convertValues(source["clauses"], ViewClause);
	        this.display = this.convertValues(source["display"], ViewDisplay);
	        this.created = source["created"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ViewList {
	    all: View[];
	
	    static createFrom(source: any = {}) {
	        return new ViewList(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.all = this.convertValues(source["all"], View);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Flood {
	    taskId: string;
	    origin: string;
	    refused: number;
	
	    static createFrom(source: any = {}) {
	        return new Flood(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.origin = source["origin"];
	        this.refused = source["refused"];
	    }
	}
	export class Floods {
	    floods: Flood[];
	
	    static createFrom(source: any = {}) {
	        return new Floods(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.floods = this.convertValues(source["floods"], Flood);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Pane {
	    taskId: string;
	    pinned: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Pane(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.pinned = source["pinned"];
	    }
	}
	export class Mission {
	    layout: number;
	    panes: Pane[];
	    removed: string[];
	    maximised: string;
	
	    static createFrom(source: any = {}) {
	        return new Mission(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.layout = source["layout"];
	        this.panes = this.convertValues(source["panes"], Pane);
	        this.removed = source["removed"];
	        this.maximised = source["maximised"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class OwnAgent {
	    name: string;
	    label: string;
	    command: string;
	    variables: string[];
	
	    static createFrom(source: any = {}) {
	        return new OwnAgent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.label = source["label"];
	        this.command = source["command"];
	        this.variables = source["variables"];
	    }
	}
	export class Looks {
	    textSize: number;
	    density: string;
	    codeFont: string;
	    contrast: string;
	    motion: string;
	    hideSpent: boolean;
	    needsInPlace: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Looks(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.textSize = source["textSize"];
	        this.density = source["density"];
	        this.codeFont = source["codeFont"];
	        this.contrast = source["contrast"];
	        this.motion = source["motion"];
	        this.hideSpent = source["hideSpent"];
	        this.needsInPlace = source["needsInPlace"];
	    }
	}
	export class Settings {
	    slots: number;
	    holdQueue: boolean;
	    language: string;
	    theme: string;
	    singleKeys: boolean;
	    away: boolean;
	    notify: notifying.Settings;
	    quietMinutes: number;
	    observe: boolean;
	    observeRoots: string[];
	    tellElsewhere: boolean;
	    elsewhereMet: boolean;
	    hooksDeclined: boolean;
	    claudeMet: string;
	    takeBackMs: number;
	    autostart: boolean;
	    shortcut: string;
	    awake: Awake;
	    sleptMet: number;
	    keys: Record<string, Array<string>>;
	    looks: Looks;
	    labelTones: Record<string, number>;
	    updates: boolean;
	    agent: string;
	    ownAgents: OwnAgent[];
	
	    static createFrom(source: any = {}) {
	        return new Settings(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.slots = source["slots"];
	        this.holdQueue = source["holdQueue"];
	        this.language = source["language"];
	        this.theme = source["theme"];
	        this.singleKeys = source["singleKeys"];
	        this.away = source["away"];
	        this.notify = this.convertValues(source["notify"], notifying.Settings);
	        this.quietMinutes = source["quietMinutes"];
	        this.observe = source["observe"];
	        this.observeRoots = source["observeRoots"];
	        this.tellElsewhere = source["tellElsewhere"];
	        this.elsewhereMet = source["elsewhereMet"];
	        this.hooksDeclined = source["hooksDeclined"];
	        this.claudeMet = source["claudeMet"];
	        this.takeBackMs = source["takeBackMs"];
	        this.autostart = source["autostart"];
	        this.shortcut = source["shortcut"];
	        this.awake = this.convertValues(source["awake"], Awake);
	        this.sleptMet = source["sleptMet"];
	        this.keys = source["keys"];
	        this.looks = this.convertValues(source["looks"], Looks);
	        this.labelTones = source["labelTones"];
	        this.updates = source["updates"];
	        this.agent = source["agent"];
	        this.ownAgents = this.convertValues(source["ownAgents"], OwnAgent);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PermissionRequest {
	    tool: string;
	    description: string;
	    reason?: string;
	    command: string;
	    path: string;
	    diff: string;
	    input: string;
	    digest?: string;
	    always: string;
	    lasting: string[];
	    destructive: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PermissionRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.description = source["description"];
	        this.reason = source["reason"];
	        this.command = source["command"];
	        this.path = source["path"];
	        this.diff = source["diff"];
	        this.input = source["input"];
	        this.digest = source["digest"];
	        this.always = source["always"];
	        this.lasting = source["lasting"];
	        this.destructive = source["destructive"];
	    }
	}
	export class Option {
	    id: string;
	    label: string;
	    description: string;
	    preview: string;
	
	    static createFrom(source: any = {}) {
	        return new Option(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.label = source["label"];
	        this.description = source["description"];
	        this.preview = source["preview"];
	    }
	}
	export class QuestionItem {
	    header: string;
	    text: string;
	    options: Option[];
	    multiple: boolean;
	
	    static createFrom(source: any = {}) {
	        return new QuestionItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.header = source["header"];
	        this.text = source["text"];
	        this.options = this.convertValues(source["options"], Option);
	        this.multiple = source["multiple"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Question {
	    id: string;
	    taskId: string;
	    runId: string;
	    kind: QuestionKind;
	    toolUseId: string;
	    agent: string;
	    items: QuestionItem[];
	    budget?: spending.Asked;
	    permission?: PermissionRequest;
	    plan: string;
	    form: string;
	    message: string;
	    origin: string;
	    policy: Policy;
	    asked: number;
	    deadline: number;
	    waitMs: number;
	    heldMs: number;
	    settlement: Settlement;
	    answer?: Answer;
	    earlier?: Answer[];
	    settled: number;
	    why?: reason.Reason;
	    delivered: number;
	    assumption: string;
	    ruleId: string;
	
	    static createFrom(source: any = {}) {
	        return new Question(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.runId = source["runId"];
	        this.kind = source["kind"];
	        this.toolUseId = source["toolUseId"];
	        this.agent = source["agent"];
	        this.items = this.convertValues(source["items"], QuestionItem);
	        this.budget = this.convertValues(source["budget"], spending.Asked);
	        this.permission = this.convertValues(source["permission"], PermissionRequest);
	        this.plan = source["plan"];
	        this.form = source["form"];
	        this.message = source["message"];
	        this.origin = source["origin"];
	        this.policy = source["policy"];
	        this.asked = source["asked"];
	        this.deadline = source["deadline"];
	        this.waitMs = source["waitMs"];
	        this.heldMs = source["heldMs"];
	        this.settlement = source["settlement"];
	        this.answer = this.convertValues(source["answer"], Answer);
	        this.earlier = this.convertValues(source["earlier"], Answer);
	        this.settled = source["settled"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.delivered = source["delivered"];
	        this.assumption = source["assumption"];
	        this.ruleId = source["ruleId"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Run {
	    id: string;
	    taskId: string;
	    number: number;
	    kind: RunKind;
	    phase: Phase;
	    outcome: Outcome;
	    why?: reason.Reason;
	    detail: string;
	    session: string;
	    copyOf: string;
	    dir: string;
	    configDir: string;
	    agent: string;
	    executor: string;
	    linkLost: number;
	    waits: executing.Waits;
	    model: string;
	    nextModel: string;
	    mode: PermissionMode;
	    effort: string;
	    context: Gauge;
	    activity: Activity;
	    quiet: number;
	    turns: number;
	    spent: Spent;
	    started: number;
	    ended: number;
	
	    static createFrom(source: any = {}) {
	        return new Run(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.number = source["number"];
	        this.kind = source["kind"];
	        this.phase = source["phase"];
	        this.outcome = source["outcome"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.detail = source["detail"];
	        this.session = source["session"];
	        this.copyOf = source["copyOf"];
	        this.dir = source["dir"];
	        this.configDir = source["configDir"];
	        this.agent = source["agent"];
	        this.executor = source["executor"];
	        this.linkLost = source["linkLost"];
	        this.waits = this.convertValues(source["waits"], executing.Waits);
	        this.model = source["model"];
	        this.nextModel = source["nextModel"];
	        this.mode = source["mode"];
	        this.effort = source["effort"];
	        this.context = this.convertValues(source["context"], Gauge);
	        this.activity = this.convertValues(source["activity"], Activity);
	        this.quiet = source["quiet"];
	        this.turns = source["turns"];
	        this.spent = this.convertValues(source["spent"], Spent);
	        this.started = source["started"];
	        this.ended = source["ended"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Resume {
	    at: number;
	    why: Setback;
	    tries: number;
	
	    static createFrom(source: any = {}) {
	        return new Resume(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.why = source["why"];
	        this.tries = source["tries"];
	    }
	}
	export class Spent {
	    tokens: number;
	    costUsd: number;
	    workedMs: number;
	
	    static createFrom(source: any = {}) {
	        return new Spent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tokens = source["tokens"];
	        this.costUsd = source["costUsd"];
	        this.workedMs = source["workedMs"];
	    }
	}
	export class Task {
	    id: string;
	    projectId: string;
	    number: number;
	    key: string;
	    title: string;
	    brief: string;
	    status: Status;
	    rank: number;
	    labels: string[];
	    priority: number;
	    agent: string;
	    model: string;
	    mode: PermissionMode;
	    policy: Policy;
	    waitMs: number;
	    executor: string;
	    after: string;
	    startsAt: number;
	    start: starting.Start;
	    templateId: string;
	    worktree: string;
	    branch: string;
	    base: string;
	    baseCommit: string;
	    session: string;
	    changes: Changes;
	    spent: Spent;
	    attempt?: reviewing.Attempt;
	    why?: reason.Reason;
	    resume: Resume;
	    resolution: Resolution;
	    landed: reviewing.Landed;
	    archivedFrom: Status;
	    restoresTo: Status;
	    keptRef: string;
	    keptUntil: number;
	    created: number;
	    updated: number;
	
	    static createFrom(source: any = {}) {
	        return new Task(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.projectId = source["projectId"];
	        this.number = source["number"];
	        this.key = source["key"];
	        this.title = source["title"];
	        this.brief = source["brief"];
	        this.status = source["status"];
	        this.rank = source["rank"];
	        this.labels = source["labels"];
	        this.priority = source["priority"];
	        this.agent = source["agent"];
	        this.model = source["model"];
	        this.mode = source["mode"];
	        this.policy = source["policy"];
	        this.waitMs = source["waitMs"];
	        this.executor = source["executor"];
	        this.after = source["after"];
	        this.startsAt = source["startsAt"];
	        this.start = this.convertValues(source["start"], starting.Start);
	        this.templateId = source["templateId"];
	        this.worktree = source["worktree"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.baseCommit = source["baseCommit"];
	        this.session = source["session"];
	        this.changes = this.convertValues(source["changes"], Changes);
	        this.spent = this.convertValues(source["spent"], Spent);
	        this.attempt = this.convertValues(source["attempt"], reviewing.Attempt);
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.resume = this.convertValues(source["resume"], Resume);
	        this.resolution = source["resolution"];
	        this.landed = this.convertValues(source["landed"], reviewing.Landed);
	        this.archivedFrom = source["archivedFrom"];
	        this.restoresTo = source["restoresTo"];
	        this.keptRef = source["keptRef"];
	        this.keptUntil = source["keptUntil"];
	        this.created = source["created"];
	        this.updated = source["updated"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ScriptSet {
	    setup: string;
	    check: string;
	    dev: string;
	    copied: string[];
	    spare: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ScriptSet(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.setup = source["setup"];
	        this.check = source["check"];
	        this.dev = source["dev"];
	        this.copied = source["copied"];
	        this.spare = source["spare"];
	    }
	}
	export class Project {
	    id: string;
	    key: string;
	    name: string;
	    dir: string;
	    color: number;
	    git: boolean;
	    base: string;
	    branchPattern: string;
	    agent: string;
	    model: string;
	    mode: PermissionMode;
	    policy: Policy;
	    waitMs: number;
	    allowed: string[];
	    trusted: boolean;
	    mergeWay: reviewing.MergeWay;
	    scripts: ScriptSet;
	    executor: string;
	    repositories: reviewing.Repository[];
	    created: number;
	
	    static createFrom(source: any = {}) {
	        return new Project(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.key = source["key"];
	        this.name = source["name"];
	        this.dir = source["dir"];
	        this.color = source["color"];
	        this.git = source["git"];
	        this.base = source["base"];
	        this.branchPattern = source["branchPattern"];
	        this.agent = source["agent"];
	        this.model = source["model"];
	        this.mode = source["mode"];
	        this.policy = source["policy"];
	        this.waitMs = source["waitMs"];
	        this.allowed = source["allowed"];
	        this.trusted = source["trusted"];
	        this.mergeWay = source["mergeWay"];
	        this.scripts = this.convertValues(source["scripts"], ScriptSet);
	        this.executor = source["executor"];
	        this.repositories = this.convertValues(source["repositories"], reviewing.Repository);
	        this.created = source["created"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Event {
	    project?: Project;
	    task?: Task;
	    run?: Run;
	    question?: Question;
	    settings?: Settings;
	    mission?: Mission;
	    disk?: Disk;
	    floods?: Floods;
	    spending?: spending.State;
	    channels?: remote.Channels;
	    views?: ViewList;
	    executors?: executing.List;
	    release?: ReleaseNotice;
	    slept?: Slept;
	    notice?: notifying.Notice;
	    script?: ScriptRun;
	    terminal?: executing.Terminal;
	    pull?: reviewing.PullRequest;
	    session?: OutsideSession;
	    queue?: MessageQueue;
	    comments?: reviewing.CommentCount;
	    entry?: Entry;
	    live?: Live;
	    taskId?: string;
	    reload?: string;
	    gone?: string;
	
	    static createFrom(source: any = {}) {
	        return new Event(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.project = this.convertValues(source["project"], Project);
	        this.task = this.convertValues(source["task"], Task);
	        this.run = this.convertValues(source["run"], Run);
	        this.question = this.convertValues(source["question"], Question);
	        this.settings = this.convertValues(source["settings"], Settings);
	        this.mission = this.convertValues(source["mission"], Mission);
	        this.disk = this.convertValues(source["disk"], Disk);
	        this.floods = this.convertValues(source["floods"], Floods);
	        this.spending = this.convertValues(source["spending"], spending.State);
	        this.channels = this.convertValues(source["channels"], remote.Channels);
	        this.views = this.convertValues(source["views"], ViewList);
	        this.executors = this.convertValues(source["executors"], executing.List);
	        this.release = this.convertValues(source["release"], ReleaseNotice);
	        this.slept = this.convertValues(source["slept"], Slept);
	        this.notice = this.convertValues(source["notice"], notifying.Notice);
	        this.script = this.convertValues(source["script"], ScriptRun);
	        this.terminal = this.convertValues(source["terminal"], executing.Terminal);
	        this.pull = this.convertValues(source["pull"], reviewing.PullRequest);
	        this.session = this.convertValues(source["session"], OutsideSession);
	        this.queue = this.convertValues(source["queue"], MessageQueue);
	        this.comments = this.convertValues(source["comments"], reviewing.CommentCount);
	        this.entry = this.convertValues(source["entry"], Entry);
	        this.live = this.convertValues(source["live"], Live);
	        this.taskId = source["taskId"];
	        this.reload = source["reload"];
	        this.gone = source["gone"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class FileDiff {
	    path: string;
	    oldPath: string;
	    change: FileChange;
	    kind: FileKind;
	    similar: number;
	    added: number;
	    removed: number;
	    binary: boolean;
	    oldSize: number;
	    size: number;
	    mode: string;
	    content: string;
	    patch: string;
	    cut: boolean;
	    pending: boolean;
	    past: boolean;
	
	    static createFrom(source: any = {}) {
	        return new FileDiff(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.oldPath = source["oldPath"];
	        this.change = source["change"];
	        this.kind = source["kind"];
	        this.similar = source["similar"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.binary = source["binary"];
	        this.oldSize = source["oldSize"];
	        this.size = source["size"];
	        this.mode = source["mode"];
	        this.content = source["content"];
	        this.patch = source["patch"];
	        this.cut = source["cut"];
	        this.pending = source["pending"];
	        this.past = source["past"];
	    }
	}
	
	
	export class FoundSetup {
	    tool: string;
	    file: string;
	    setup: string;
	    dev: string;
	
	    static createFrom(source: any = {}) {
	        return new FoundSetup(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.file = source["file"];
	        this.setup = source["setup"];
	        this.dev = source["dev"];
	    }
	}
	export class Frame {
	    seq: number;
	    whole: boolean;
	    events: Event[];
	    more?: string;
	    lost: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Frame(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.whole = source["whole"];
	        this.events = this.convertValues(source["events"], Event);
	        this.more = source["more"];
	        this.lost = source["lost"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	export class Landmark {
	    runId: string;
	    pos: number;
	    part: number;
	    kind: EntryKind;
	    text: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Landmark(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.runId = source["runId"];
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.at = source["at"];
	    }
	}
	
	
	export class Loss {
	    token: string;
	    uncommitted: string[];
	    commits: number;
	    ignored: string[];
	    repositories: string[];
	    keptUntil: number;
	    branchGone: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Loss(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.token = source["token"];
	        this.uncommitted = source["uncommitted"];
	        this.commits = source["commits"];
	        this.ignored = source["ignored"];
	        this.repositories = source["repositories"];
	        this.keptUntil = source["keptUntil"];
	        this.branchGone = source["branchGone"];
	    }
	}
	export class ManyChange {
	    kind: ChangeKind;
	    status: Status;
	    add: string[];
	    remove: string[];
	    priority: number;
	    model: string;
	    policy: Policy;
	    waitMs: number;
	    agent: string;
	    executor: string;
	    projectId: string;
	
	    static createFrom(source: any = {}) {
	        return new ManyChange(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.status = source["status"];
	        this.add = source["add"];
	        this.remove = source["remove"];
	        this.priority = source["priority"];
	        this.model = source["model"];
	        this.policy = source["policy"];
	        this.waitMs = source["waitMs"];
	        this.agent = source["agent"];
	        this.executor = source["executor"];
	        this.projectId = source["projectId"];
	    }
	}
	
	
	
	
	export class NewImage {
	    name: string;
	    data: string;
	
	    static createFrom(source: any = {}) {
	        return new NewImage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.data = source["data"];
	    }
	}
	export class NewMessage {
	    text: string;
	    images: Image[];
	    manner: Manner;
	
	    static createFrom(source: any = {}) {
	        return new NewMessage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.images = this.convertValues(source["images"], Image);
	        this.manner = source["manner"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class NewProject {
	    dir: string;
	    name: string;
	    key: string;
	    base: string;
	    trusted: boolean;
	    scripts: ScriptSet;
	    repositories?: reviewing.Repository[];
	
	    static createFrom(source: any = {}) {
	        return new NewProject(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.dir = source["dir"];
	        this.name = source["name"];
	        this.key = source["key"];
	        this.base = source["base"];
	        this.trusted = source["trusted"];
	        this.scripts = this.convertValues(source["scripts"], ScriptSet);
	        this.repositories = this.convertValues(source["repositories"], reviewing.Repository);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class NewTask {
	    projectId: string;
	    title: string;
	    brief: string;
	    status: Status;
	    labels: string[];
	    priority: number;
	    agent: string;
	    model: string;
	    mode: PermissionMode;
	    policy: Policy;
	    waitMs: number;
	    executor: string;
	    after: string;
	    startsAt: number;
	    start: starting.Start;
	    templateId: string;
	
	    static createFrom(source: any = {}) {
	        return new NewTask(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.projectId = source["projectId"];
	        this.title = source["title"];
	        this.brief = source["brief"];
	        this.status = source["status"];
	        this.labels = source["labels"];
	        this.priority = source["priority"];
	        this.agent = source["agent"];
	        this.model = source["model"];
	        this.mode = source["mode"];
	        this.policy = source["policy"];
	        this.waitMs = source["waitMs"];
	        this.executor = source["executor"];
	        this.after = source["after"];
	        this.startsAt = source["startsAt"];
	        this.start = this.convertValues(source["start"], starting.Start);
	        this.templateId = source["templateId"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Offer {
	    listed: boolean;
	    patterns: string[];
	    env: string[];
	    envPatterns: string[];
	    setups: FoundSetup[];
	
	    static createFrom(source: any = {}) {
	        return new Offer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.listed = source["listed"];
	        this.patterns = source["patterns"];
	        this.env = source["env"];
	        this.envPatterns = source["envPatterns"];
	        this.setups = this.convertValues(source["setups"], FoundSetup);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	
	export class PageCall {
	    kind: PageCallKind;
	    route: string;
	    agents: number;
	    keys: string[];
	    paths: string[];
	    x: number;
	    y: number;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new PageCall(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.route = source["route"];
	        this.agents = source["agents"];
	        this.keys = source["keys"];
	        this.paths = source["paths"];
	        this.x = source["x"];
	        this.y = source["y"];
	        this.text = source["text"];
	    }
	}
	
	
	
	
	export class ProjectFound {
	    dir: string;
	    name: string;
	    key: string;
	    git: boolean;
	    base: string;
	    branches: string[];
	    brings: Brought[];
	    offer: Offer;
	    projectId: string;
	
	    static createFrom(source: any = {}) {
	        return new ProjectFound(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.dir = source["dir"];
	        this.name = source["name"];
	        this.key = source["key"];
	        this.git = source["git"];
	        this.base = source["base"];
	        this.branches = source["branches"];
	        this.brings = this.convertValues(source["brings"], Brought);
	        this.offer = this.convertValues(source["offer"], Offer);
	        this.projectId = source["projectId"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	
	export class ReviewDiff {
	    taskId: string;
	    base: string;
	    files: FileDiff[];
	    behind: number;
	    omitted: number;
	    uncommitted: string[];
	    why?: reason.Reason;
	    conflicts: string[];
	    since: string;
	
	    static createFrom(source: any = {}) {
	        return new ReviewDiff(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.base = source["base"];
	        this.files = this.convertValues(source["files"], FileDiff);
	        this.behind = source["behind"];
	        this.omitted = source["omitted"];
	        this.uncommitted = source["uncommitted"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.conflicts = source["conflicts"];
	        this.since = source["since"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Rewind {
	    possible: boolean;
	    reason: string;
	    files: string[];
	    added: number;
	    removed: number;
	
	    static createFrom(source: any = {}) {
	        return new Rewind(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.possible = source["possible"];
	        this.reason = source["reason"];
	        this.files = source["files"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	    }
	}
	export class Rule {
	    id: string;
	    projectId: string;
	    text: string;
	    labels: string[];
	    created: number;
	    used: number;
	    elsewhere: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Rule(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.projectId = source["projectId"];
	        this.text = source["text"];
	        this.labels = source["labels"];
	        this.created = source["created"];
	        this.used = source["used"];
	        this.elsewhere = source["elsewhere"];
	    }
	}
	
	export class ScriptOutput {
	    text: string;
	    from: number;
	    next: number;
	
	    static createFrom(source: any = {}) {
	        return new ScriptOutput(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.from = source["from"];
	        this.next = source["next"];
	    }
	}
	
	
	export class SearchHit {
	    taskId: string;
	    runId: string;
	    pos: number;
	    part: number;
	    kind: EntryKind;
	    snippet: string;
	    marks: number[];
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new SearchHit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.runId = source["runId"];
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.kind = source["kind"];
	        this.snippet = source["snippet"];
	        this.marks = source["marks"];
	        this.at = source["at"];
	    }
	}
	export class SearchPage {
	    hits: SearchHit[];
	    elsewhere: Question[];
	    before: string;
	    behind: number;
	
	    static createFrom(source: any = {}) {
	        return new SearchPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.hits = this.convertValues(source["hits"], SearchHit);
	        this.elsewhere = this.convertValues(source["elsewhere"], Question);
	        this.before = source["before"];
	        this.behind = source["behind"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SearchQuery {
	    text: string;
	    projectId: string;
	    taskId: string;
	    kind: EntryKind;
	    before: string;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new SearchQuery(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.projectId = source["projectId"];
	        this.taskId = source["taskId"];
	        this.kind = source["kind"];
	        this.before = source["before"];
	        this.limit = source["limit"];
	    }
	}
	
	
	
	
	export class TaskEdit {
	    title: string;
	    brief: string;
	    labels: string[];
	    priority: number;
	    agent: string;
	    model: string;
	    mode: PermissionMode;
	    policy: Policy;
	    waitMs: number;
	    executor: string;
	    after: string;
	    startsAt: number;
	    start: starting.Start;
	
	    static createFrom(source: any = {}) {
	        return new TaskEdit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.title = source["title"];
	        this.brief = source["brief"];
	        this.labels = source["labels"];
	        this.priority = source["priority"];
	        this.agent = source["agent"];
	        this.model = source["model"];
	        this.mode = source["mode"];
	        this.policy = source["policy"];
	        this.waitMs = source["waitMs"];
	        this.executor = source["executor"];
	        this.after = source["after"];
	        this.startsAt = source["startsAt"];
	        this.start = this.convertValues(source["start"], starting.Start);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Template {
	    id: string;
	    projectId: string;
	    name: string;
	    task: NewTask;
	    schedule: string;
	    missed: Missed;
	    paused: boolean;
	    nextAt: number;
	    lastAt: number;
	    why?: reason.Reason;
	    created: number;
	
	    static createFrom(source: any = {}) {
	        return new Template(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.projectId = source["projectId"];
	        this.name = source["name"];
	        this.task = this.convertValues(source["task"], NewTask);
	        this.schedule = source["schedule"];
	        this.missed = source["missed"];
	        this.paused = source["paused"];
	        this.nextAt = source["nextAt"];
	        this.lastAt = source["lastAt"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.created = source["created"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ToolServer {
	    name: string;
	    status: string;
	    error: string;
	    tools: number;
	
	    static createFrom(source: any = {}) {
	        return new ToolServer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.status = source["status"];
	        this.error = source["error"];
	        this.tools = source["tools"];
	    }
	}
	export class TranscriptPage {
	    taskId: string;
	    entries: Entry[];
	    before: string;
	    after: string;
	
	    static createFrom(source: any = {}) {
	        return new TranscriptPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.entries = this.convertValues(source["entries"], Entry);
	        this.before = source["before"];
	        this.after = source["after"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	
	
	
	

}

export namespace claude {
	
	export class Login {
	    known: boolean;
	    signedIn: boolean;
	    email: string;
	    plan: string;
	
	    static createFrom(source: any = {}) {
	        return new Login(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.known = source["known"];
	        this.signedIn = source["signedIn"];
	        this.email = source["email"];
	        this.plan = source["plan"];
	    }
	}

}

export namespace decisions {
	
	export class Counts {
	    all: number;
	    questions: number;
	    permissions: number;
	    plans: number;
	    assumed: number;
	    undone: number;
	    found: number;
	
	    static createFrom(source: any = {}) {
	        return new Counts(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.all = source["all"];
	        this.questions = source["questions"];
	        this.permissions = source["permissions"];
	        this.plans = source["plans"];
	        this.assumed = source["assumed"];
	        this.undone = source["undone"];
	        this.found = source["found"];
	    }
	}
	export class Filter {
	    kind: string;
	    assumed: boolean;
	    undone: boolean;
	    projectId: string;
	    taskId: string;
	    since: number;
	    until: number;
	    from: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Filter(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.assumed = source["assumed"];
	        this.undone = source["undone"];
	        this.projectId = source["projectId"];
	        this.taskId = source["taskId"];
	        this.since = source["since"];
	        this.until = source["until"];
	        this.from = source["from"];
	        this.text = source["text"];
	    }
	}
	export class Page {
	    rows: beckon.Question[];
	    instead: Record<string, beckon.Answer>;
	    next: string;
	    counts?: Counts;
	
	    static createFrom(source: any = {}) {
	        return new Page(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.rows = this.convertValues(source["rows"], beckon.Question);
	        this.instead = this.convertValues(source["instead"], beckon.Answer, true);
	        this.next = source["next"];
	        this.counts = this.convertValues(source["counts"], Counts);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace demo {
	
	export class GuestReply {
	    ok: boolean;
	    body: string;
	
	    static createFrom(source: any = {}) {
	        return new GuestReply(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ok = source["ok"];
	        this.body = source["body"];
	    }
	}

}

export namespace executing {
	
	export enum AskKind {
	    confirm = "confirm",
	    hostKey = "hostKey",
	    passphrase = "passphrase",
	    password = "password",
	    touch = "touch",
	    words = "words",
	}
	export enum Engine {
	    docker = "docker",
	    podman = "podman",
	}
	export enum Kind {
	    container = "container",
	    kubernetes = "kubernetes",
	    slurm = "slurm",
	    ssh = "ssh",
	}
	export enum Login {
	    in = "in",
	    out = "out",
	    unknown = "unknown",
	}
	export enum Network {
	    api = "api",
	    engine = "engine",
	}
	export enum Reason {
	    build = "build",
	    commands = "commands",
	    image = "image",
	    quota = "quota",
	    room = "room",
	}
	export enum State {
	    checking = "checking",
	    failed = "failed",
	    lost = "lost",
	    ready = "ready",
	    unknown = "unknown",
	}
	export class Along {
	    files: string[];
	    count: number;
	    lfs: number;
	    submodules: number;
	
	    static createFrom(source: any = {}) {
	        return new Along(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.files = source["files"];
	        this.count = source["count"];
	        this.lfs = source["lfs"];
	        this.submodules = source["submodules"];
	    }
	}
	export class Ask {
	    id: string;
	    kind: AskKind;
	    since: number;
	    again: boolean;
	    host: string;
	    address: string;
	    key: string;
	    fingerprint: string;
	    known: string[];
	    file: string;
	    words: string[];
	
	    static createFrom(source: any = {}) {
	        return new Ask(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.since = source["since"];
	        this.again = source["again"];
	        this.host = source["host"];
	        this.address = source["address"];
	        this.key = source["key"];
	        this.fingerprint = source["fingerprint"];
	        this.known = source["known"];
	        this.file = source["file"];
	        this.words = source["words"];
	    }
	}
	export class ChangedKey {
	    file: string;
	    line: number;
	
	    static createFrom(source: any = {}) {
	        return new ChangedKey(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.file = source["file"];
	        this.line = source["line"];
	    }
	}
	export class Executor {
	    id: string;
	    name: string;
	    kind: Kind;
	    host: string;
	    slots: number;
	    created: number;
	    variables: string[];
	    kept: string[];
	    engine: Engine;
	    image: string;
	    network: Network;
	    options: string;
	    context: string;
	    namespace: string;
	    template: string;
	    queue: string;
	    secret: string;
	
	    static createFrom(source: any = {}) {
	        return new Executor(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.kind = source["kind"];
	        this.host = source["host"];
	        this.slots = source["slots"];
	        this.created = source["created"];
	        this.variables = source["variables"];
	        this.kept = source["kept"];
	        this.engine = source["engine"];
	        this.image = source["image"];
	        this.network = source["network"];
	        this.options = source["options"];
	        this.context = source["context"];
	        this.namespace = source["namespace"];
	        this.template = source["template"];
	        this.queue = source["queue"];
	        this.secret = source["secret"];
	    }
	}
	export class Found {
	    system: string;
	    arch: string;
	    user: string;
	    claude: string;
	    git: string;
	    free: number;
	    login: Login;
	
	    static createFrom(source: any = {}) {
	        return new Found(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.system = source["system"];
	        this.arch = source["arch"];
	        this.user = source["user"];
	        this.claude = source["claude"];
	        this.git = source["git"];
	        this.free = source["free"];
	        this.login = source["login"];
	    }
	}
	export class Health {
	    state: State;
	    since: number;
	    seen: number;
	    answer: number;
	    why?: reason.Reason;
	    found: Found;
	    ask?: Ask;
	    changed?: ChangedKey;
	
	    static createFrom(source: any = {}) {
	        return new Health(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.since = source["since"];
	        this.seen = source["seen"];
	        this.answer = source["answer"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.found = this.convertValues(source["found"], Found);
	        this.ask = this.convertValues(source["ask"], Ask);
	        this.changed = this.convertValues(source["changed"], ChangedKey);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Left {
	    worktrees: number;
	    bytes: number;
	    keys: string[];
	
	    static createFrom(source: any = {}) {
	        return new Left(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.worktrees = source["worktrees"];
	        this.bytes = source["bytes"];
	        this.keys = source["keys"];
	    }
	}
	export class Status {
	    executor: Executor;
	    health: Health;
	
	    static createFrom(source: any = {}) {
	        return new Status(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.executor = this.convertValues(source["executor"], Executor);
	        this.health = this.convertValues(source["health"], Health);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class List {
	    all: Status[];
	
	    static createFrom(source: any = {}) {
	        return new List(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.all = this.convertValues(source["all"], Status);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Reply {
	    yes: boolean;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Reply(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.yes = source["yes"];
	        this.text = source["text"];
	    }
	}
	
	export class Terminal {
	    id: string;
	    taskId: string;
	    place: string;
	    dir: string;
	    started: number;
	    ended: number;
	    code: number;
	    signal: string;
	    length: number;
	
	    static createFrom(source: any = {}) {
	        return new Terminal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.place = source["place"];
	        this.dir = source["dir"];
	        this.started = source["started"];
	        this.ended = source["ended"];
	        this.code = source["code"];
	        this.signal = source["signal"];
	        this.length = source["length"];
	    }
	}
	export class TerminalOutput {
	    data: string;
	    from: number;
	    next: number;
	    more: boolean;
	    end: number;
	
	    static createFrom(source: any = {}) {
	        return new TerminalOutput(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.data = source["data"];
	        this.from = source["from"];
	        this.next = source["next"];
	        this.more = source["more"];
	        this.end = source["end"];
	    }
	}
	export class TerminalSize {
	    cols: number;
	    rows: number;
	
	    static createFrom(source: any = {}) {
	        return new TerminalSize(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.cols = source["cols"];
	        this.rows = source["rows"];
	    }
	}
	export class Waits {
	    for: Reason;
	    words: string;
	
	    static createFrom(source: any = {}) {
	        return new Waits(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.for = source["for"];
	        this.words = source["words"];
	    }
	}

}

export namespace hooks {
	
	export class Shown {
	    file: string;
	    diff: string;
	    token: string;
	    refused?: reason.Reason;
	    snippet: string;
	    backup: string;
	
	    static createFrom(source: any = {}) {
	        return new Shown(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.file = source["file"];
	        this.diff = source["diff"];
	        this.token = source["token"];
	        this.refused = this.convertValues(source["refused"], reason.Reason);
	        this.snippet = source["snippet"];
	        this.backup = source["backup"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class State {
	    root: string;
	    file: string;
	    command: string;
	    another: boolean;
	    since: number;
	    programGone: boolean;
	    disabledBy: string;
	    trouble?: reason.Reason;
	
	    static createFrom(source: any = {}) {
	        return new State(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.root = source["root"];
	        this.file = source["file"];
	        this.command = source["command"];
	        this.another = source["another"];
	        this.since = source["since"];
	        this.programGone = source["programGone"];
	        this.disabledBy = source["disabledBy"];
	        this.trouble = this.convertValues(source["trouble"], reason.Reason);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace importing {
	
	export enum Column {
	    backlog = "backlog",
	    done = "done",
	}
	export enum Field {
	    key = "key",
	    labels = "labels",
	    link = "link",
	    priority = "priority",
	    state = "state",
	    text = "text",
	    title = "title",
	}
	export enum Source {
	    csv = "csv",
	    forge = "forge",
	    markdown = "markdown",
	    vibeKanban = "vibeKanban",
	}
	export enum Why {
	    badQuotes = "badQuotes",
	    beyond = "beyond",
	    checked = "checked",
	    longText = "longText",
	    longTitle = "longTitle",
	    noProject = "noProject",
	    noTitle = "noTitle",
	    twice = "twice",
	    unreadable = "unreadable",
	}
	export class Refusal {
	    line: number;
	    title: string;
	    why: Why;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new Refusal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.line = source["line"];
	        this.title = source["title"];
	        this.why = source["why"];
	        this.detail = source["detail"];
	    }
	}
	export class Row {
	    title: string;
	    projectId: string;
	    state: string;
	    labels: string[];
	    priority: number;
	    key: string;
	    branch: string;
	    hasText: boolean;
	    same: string;
	
	    static createFrom(source: any = {}) {
	        return new Row(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.title = source["title"];
	        this.projectId = source["projectId"];
	        this.state = source["state"];
	        this.labels = source["labels"];
	        this.priority = source["priority"];
	        this.key = source["key"];
	        this.branch = source["branch"];
	        this.hasText = source["hasText"];
	        this.same = source["same"];
	    }
	}
	export class StateCount {
	    name: string;
	    count: number;
	    to: Column;
	
	    static createFrom(source: any = {}) {
	        return new StateCount(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.count = source["count"];
	        this.to = source["to"];
	    }
	}
	export class TableColumn {
	    name: string;
	    field: Field;
	
	    static createFrom(source: any = {}) {
	        return new TableColumn(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.field = source["field"];
	    }
	}
	export class Found {
	    id: string;
	    origin: string;
	    columns: TableColumn[];
	    states: StateCount[];
	    rows: Row[];
	    refusals: Refusal[];
	    refused: number;
	
	    static createFrom(source: any = {}) {
	        return new Found(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.origin = source["origin"];
	        this.columns = this.convertValues(source["columns"], TableColumn);
	        this.states = this.convertValues(source["states"], StateCount);
	        this.rows = this.convertValues(source["rows"], Row);
	        this.refusals = this.convertValues(source["refusals"], Refusal);
	        this.refused = source["refused"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Pick {
	    row: number;
	    to: Column;
	
	    static createFrom(source: any = {}) {
	        return new Pick(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.row = source["row"];
	        this.to = source["to"];
	    }
	}
	export class Order {
	    id: string;
	    picks: Pick[];
	
	    static createFrom(source: any = {}) {
	        return new Order(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.picks = this.convertValues(source["picks"], Pick);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Places {
	    database: string;
	    server: string;
	    tool: string;
	
	    static createFrom(source: any = {}) {
	        return new Places(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.database = source["database"];
	        this.server = source["server"];
	        this.tool = source["tool"];
	    }
	}
	export class Query {
	    source: Source;
	    projectId: string;
	    text: string;
	    file: string;
	    fields: string[];
	
	    static createFrom(source: any = {}) {
	        return new Query(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.source = source["source"];
	        this.projectId = source["projectId"];
	        this.text = source["text"];
	        this.file = source["file"];
	        this.fields = source["fields"];
	    }
	}
	
	
	

}

export namespace nearby {
	
	export class Folder {
	    dir: string;
	    git: boolean;
	    branch: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Folder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.dir = source["dir"];
	        this.git = source["git"];
	        this.branch = source["branch"];
	        this.at = source["at"];
	    }
	}
	export class Repository {
	    dir: string;
	    name: string;
	    branch: string;
	    subject: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Repository(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.dir = source["dir"];
	        this.name = source["name"];
	        this.branch = source["branch"];
	        this.subject = source["subject"];
	        this.at = source["at"];
	    }
	}
	export class Found {
	    repositories: Repository[];
	    cut: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Found(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.repositories = this.convertValues(source["repositories"], Repository);
	        this.cut = source["cut"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace notifying {
	
	export enum How {
	    banner = "banner",
	    both = "both",
	    nothing = "nothing",
	    sound = "sound",
	}
	export enum Kind {
	    budget = "budget",
	    failed = "failed",
	    permission = "permission",
	    plan = "plan",
	    question = "question",
	    quiet = "quiet",
	    review = "review",
	}
	export enum Why {
	    after = "after",
	    again = "again",
	    news = "news",
	    soon = "soon",
	}
	export class Notice {
	    id: string;
	    kind: Kind;
	    why: Why;
	    banner: boolean;
	    sound: boolean;
	    chime: string;
	    waiting: number;
	    others: number;
	    over: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Notice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.why = source["why"];
	        this.banner = source["banner"];
	        this.sound = source["sound"];
	        this.chime = source["chime"];
	        this.waiting = source["waiting"];
	        this.others = source["others"];
	        this.over = source["over"];
	    }
	}
	export class Settings {
	    tell: Record<string, string>;
	    chime: string;
	    quietFrom: number;
	    quietTo: number;
	    soonOff: boolean;
	    remindMinutes: number;
	    trayHidden: boolean;
	    trayCount: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Settings(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tell = source["tell"];
	        this.chime = source["chime"];
	        this.quietFrom = source["quietFrom"];
	        this.quietTo = source["quietTo"];
	        this.soonOff = source["soonOff"];
	        this.remindMinutes = source["remindMinutes"];
	        this.trayHidden = source["trayHidden"];
	        this.trayCount = source["trayCount"];
	    }
	}

}

export namespace numbers {
	
	export class Fact {
	    day: string;
	    taskId: string;
	    projectId: string;
	    agent: string;
	    model: string;
	    executor: string;
	    costUsd: number;
	    tokens: number;
	    unpriced: number;
	    runs: number;
	    workedMs: number;
	    questions: number;
	    answered: number;
	    assumed: number;
	    waitedMs: number;
	    answers: number[];
	    merged: number;
	    closed: number;
	    discarded: number;
	
	    static createFrom(source: any = {}) {
	        return new Fact(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.day = source["day"];
	        this.taskId = source["taskId"];
	        this.projectId = source["projectId"];
	        this.agent = source["agent"];
	        this.model = source["model"];
	        this.executor = source["executor"];
	        this.costUsd = source["costUsd"];
	        this.tokens = source["tokens"];
	        this.unpriced = source["unpriced"];
	        this.runs = source["runs"];
	        this.workedMs = source["workedMs"];
	        this.questions = source["questions"];
	        this.answered = source["answered"];
	        this.assumed = source["assumed"];
	        this.waitedMs = source["waitedMs"];
	        this.answers = source["answers"];
	        this.merged = source["merged"];
	        this.closed = source["closed"];
	        this.discarded = source["discarded"];
	    }
	}
	export class Numbers {
	    days: string[];
	    facts: Fact[];
	    cut: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Numbers(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.days = source["days"];
	        this.facts = this.convertValues(source["facts"], Fact);
	        this.cut = source["cut"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Spell {
	    at: number;
	    tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new Spell(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.tokens = source["tokens"];
	    }
	}

}

export namespace reason {
	
	export class Reason {
	    code: string;
	    args?: Record<string, string>;
	    said?: string;
	    why?: Reason;
	
	    static createFrom(source: any = {}) {
	        return new Reason(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.args = source["args"];
	        this.said = source["said"];
	        this.why = this.convertValues(source["why"], Reason);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace remote {
	
	export enum Channel {
	    hook = "hook",
	    phone = "phone",
	    push = "push",
	    telegram = "telegram",
	}
	export enum Part {
	    count = "count",
	    diff = "diff",
	    elsewhere = "elsewhere",
	    ended = "ended",
	    key = "key",
	    kind = "kind",
	    lines = "lines",
	    link = "link",
	    plan = "plan",
	    progress = "progress",
	    text = "text",
	    times = "times",
	}
	export enum Shape {
	    discord = "discord",
	    json = "json",
	    ntfy = "ntfy",
	    slack = "slack",
	}
	export enum Trouble {
	    certificate = "certificate",
	    forbidden = "forbidden",
	    hooked = "hooked",
	    keyless = "keyless",
	    portTaken = "portTaken",
	    refused = "refused",
	    taken = "taken",
	    unknown = "unknown",
	    unreachable = "unreachable",
	}
	export class Address {
	    url: string;
	    shape: Shape;
	
	    static createFrom(source: any = {}) {
	        return new Address(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.url = source["url"];
	        this.shape = source["shape"];
	    }
	}
	export class Rights {
	    questions: boolean;
	    plans: boolean;
	    commands: boolean;
	    steer: boolean;
	    elsewhere: boolean;
	    lines: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Rights(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.questions = source["questions"];
	        this.plans = source["plans"];
	        this.commands = source["commands"];
	        this.steer = source["steer"];
	        this.elsewhere = source["elsewhere"];
	        this.lines = source["lines"];
	    }
	}
	export class Device {
	    id: string;
	    channel: Channel;
	    name: string;
	    private: boolean;
	    rights: Rights;
	    projects: string[];
	    kinds: string[];
	    since: number;
	    last: number;
	    confirmed: boolean;
	    push: boolean;
	    seen: number;
	    apart: number;
	
	    static createFrom(source: any = {}) {
	        return new Device(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.channel = source["channel"];
	        this.name = source["name"];
	        this.private = source["private"];
	        this.rights = this.convertValues(source["rights"], Rights);
	        this.projects = source["projects"];
	        this.kinds = source["kinds"];
	        this.since = source["since"];
	        this.last = source["last"];
	        this.confirmed = source["confirmed"];
	        this.push = source["push"];
	        this.seen = source["seen"];
	        this.apart = source["apart"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class State {
	    channel: Channel;
	    on: boolean;
	    to: string;
	    shape: Shape;
	    chosen: string[];
	    always: string[];
	    optional: string[];
	    byRight: string[];
	    last: number;
	    waiting: number;
	    refused: number;
	    refusedAt: number;
	    trouble: Trouble;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new State(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.channel = source["channel"];
	        this.on = source["on"];
	        this.to = source["to"];
	        this.shape = source["shape"];
	        this.chosen = source["chosen"];
	        this.always = source["always"];
	        this.optional = source["optional"];
	        this.byRight = source["byRight"];
	        this.last = source["last"];
	        this.waiting = source["waiting"];
	        this.refused = source["refused"];
	        this.refusedAt = source["refusedAt"];
	        this.trouble = source["trouble"];
	        this.detail = source["detail"];
	    }
	}
	export class Channels {
	    all: State[];
	    inFile: boolean;
	    asking: Device[];
	
	    static createFrom(source: any = {}) {
	        return new Channels(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.all = this.convertValues(source["all"], State);
	        this.inFile = source["inFile"];
	        this.asking = this.convertValues(source["asking"], Device);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Pairing {
	    code: string;
	    link: string;
	    until: number;
	    qr: string;
	    size: number;
	
	    static createFrom(source: any = {}) {
	        return new Pairing(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.link = source["link"];
	        this.until = source["until"];
	        this.qr = source["qr"];
	        this.size = source["size"];
	    }
	}
	export class PhoneSetup {
	    origin: string;
	    port: number;
	    addr: string;
	    public: string;
	
	    static createFrom(source: any = {}) {
	        return new PhoneSetup(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.origin = source["origin"];
	        this.port = source["port"];
	        this.addr = source["addr"];
	        this.public = source["public"];
	    }
	}
	

}

export namespace replay {
	
	export enum Against {
	    before = "before",
	    now = "now",
	    start = "start",
	}
	export enum Kind {
	    asked = "asked",
	    turnBegan = "turnBegan",
	    turnEnded = "turnEnded",
	}
	export enum Lack {
	    elsewhere = "elsewhere",
	    noWork = "noWork",
	    several = "several",
	}
	export enum Part {
	    commits = "commits",
	    moments = "moments",
	    sessions = "sessions",
	}
	export class Ask {
	    at: number;
	    against: Against;
	    path: string;
	    nth: number;
	
	    static createFrom(source: any = {}) {
	        return new Ask(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.against = source["against"];
	        this.path = source["path"];
	        this.nth = source["nth"];
	    }
	}
	export class Moment {
	    at: number;
	    kind: Kind;
	    runId: string;
	    turn: number;
	    questionId: string;
	    mixed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Moment(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.kind = source["kind"];
	        this.runId = source["runId"];
	        this.turn = source["turn"];
	        this.questionId = source["questionId"];
	        this.mixed = source["mixed"];
	    }
	}
	export class Files {
	    moment: Moment;
	    from: Moment;
	    notStart: boolean;
	    lacks: string[];
	    files: beckon.FileDiff[];
	    omitted: number;
	    nth: number;
	    shown?: beckon.FileDiff;
	
	    static createFrom(source: any = {}) {
	        return new Files(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.moment = this.convertValues(source["moment"], Moment);
	        this.from = this.convertValues(source["from"], Moment);
	        this.notStart = source["notStart"];
	        this.lacks = source["lacks"];
	        this.files = this.convertValues(source["files"], beckon.FileDiff);
	        this.omitted = source["omitted"];
	        this.nth = source["nth"];
	        this.shown = this.convertValues(source["shown"], beckon.FileDiff);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Run {
	    runId: string;
	    number: number;
	    from: number;
	    to: number;
	    turns: timeline.Turn[];
	    calls: timeline.Call[];
	    beside: timeline.Spell[];
	    more: number;
	
	    static createFrom(source: any = {}) {
	        return new Run(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.runId = source["runId"];
	        this.number = source["number"];
	        this.from = source["from"];
	        this.to = source["to"];
	        this.turns = this.convertValues(source["turns"], timeline.Turn);
	        this.calls = this.convertValues(source["calls"], timeline.Call);
	        this.beside = this.convertValues(source["beside"], timeline.Spell);
	        this.more = source["more"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Timeline {
	    runs: Run[];
	    moments: Moment[];
	    commits: reviewing.Commit[];
	    lost: string[];
	
	    static createFrom(source: any = {}) {
	        return new Timeline(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.runs = this.convertValues(source["runs"], Run);
	        this.moments = this.convertValues(source["moments"], Moment);
	        this.commits = this.convertValues(source["commits"], reviewing.Commit);
	        this.lost = source["lost"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace reviewing {
	
	export enum CommentSide {
	    after = "after",
	    before = "before",
	}
	export enum CommentState {
	    answered = "answered",
	    draft = "draft",
	    sent = "sent",
	    unanswered = "unanswered",
	}
	export enum ConflictKind {
	    baseDeleted = "baseDeleted",
	    content = "content",
	    mixed = "mixed",
	    noText = "noText",
	    taskDeleted = "taskDeleted",
	}
	export enum ConflictSide {
	    base = "base",
	    both = "both",
	    task = "task",
	}
	export enum MergeWay {
	    merge = "merge",
	    rebase = "rebase",
	    squash = "squash",
	}
	export enum PartState {
	    clean = "clean",
	    conflict = "conflict",
	    merged = "merged",
	    missing = "missing",
	    none = "none",
	    refused = "refused",
	    unchanged = "unchanged",
	}
	export enum PullHost {
	    github = "github",
	    gitlab = "gitlab",
	    other = "other",
	}
	export enum PullState {
	    closed = "closed",
	    draft = "draft",
	    merged = "merged",
	    open = "open",
	    pushed = "pushed",
	}
	export enum TurnState {
	    recorded = "recorded",
	    running = "running",
	    unrecorded = "unrecorded",
	}
	export class Attempt {
	    number: number;
	    with: string;
	    questionId: string;
	    asked: string;
	    answer: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Attempt(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.number = source["number"];
	        this.with = source["with"];
	        this.questionId = source["questionId"];
	        this.asked = source["asked"];
	        this.answer = source["answer"];
	        this.at = source["at"];
	    }
	}
	export class ByHand {
	    on: boolean;
	    files: string[];
	
	    static createFrom(source: any = {}) {
	        return new ByHand(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.on = source["on"];
	        this.files = source["files"];
	    }
	}
	export class View {
	    ignoreSpace: boolean;
	    since: string;
	    start: boolean;
	
	    static createFrom(source: any = {}) {
	        return new View(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ignoreSpace = source["ignoreSpace"];
	        this.since = source["since"];
	        this.start = source["start"];
	    }
	}
	export class ChangedLines {
	    view: View;
	    path: string;
	    oldPath: string;
	    first: number;
	    last: number;
	    beforeFirst: number;
	    beforeLast: number;
	
	    static createFrom(source: any = {}) {
	        return new ChangedLines(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.view = this.convertValues(source["view"], View);
	        this.path = source["path"];
	        this.oldPath = source["oldPath"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.beforeFirst = source["beforeFirst"];
	        this.beforeLast = source["beforeLast"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Comment {
	    id: string;
	    taskId: string;
	    number: number;
	    repository?: string;
	    path: string;
	    side: CommentSide;
	    first: number;
	    last: number;
	    quote: string;
	    content: string;
	    text: string;
	    state: CommentState;
	    outdated: boolean;
	    messageId: string;
	    thread: string;
	    answer: string;
	    turn: number;
	    created: number;
	    sent: number;
	    answered: number;
	    resolved: number;
	
	    static createFrom(source: any = {}) {
	        return new Comment(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.number = source["number"];
	        this.repository = source["repository"];
	        this.path = source["path"];
	        this.side = source["side"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.quote = source["quote"];
	        this.content = source["content"];
	        this.text = source["text"];
	        this.state = source["state"];
	        this.outdated = source["outdated"];
	        this.messageId = source["messageId"];
	        this.thread = source["thread"];
	        this.answer = source["answer"];
	        this.turn = source["turn"];
	        this.created = source["created"];
	        this.sent = source["sent"];
	        this.answered = source["answered"];
	        this.resolved = source["resolved"];
	    }
	}
	export class CommentCount {
	    taskId: string;
	    drafts: number;
	    open: number;
	    changed: number;
	
	    static createFrom(source: any = {}) {
	        return new CommentCount(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.drafts = source["drafts"];
	        this.open = source["open"];
	        this.changed = source["changed"];
	    }
	}
	export class CommentLines {
	    repository?: string;
	    path: string;
	    side: CommentSide;
	    first: number;
	    last: number;
	    quote: string;
	    content: string;
	
	    static createFrom(source: any = {}) {
	        return new CommentLines(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.repository = source["repository"];
	        this.path = source["path"];
	        this.side = source["side"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.quote = source["quote"];
	        this.content = source["content"];
	    }
	}
	export class CommentEdit {
	    id: string;
	    taskId: string;
	    lines: CommentLines;
	    text: string;
	    thread: string;
	
	    static createFrom(source: any = {}) {
	        return new CommentEdit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.lines = this.convertValues(source["lines"], CommentLines);
	        this.text = source["text"];
	        this.thread = source["thread"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Commit {
	    hash: string;
	    subject: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Commit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.hash = source["hash"];
	        this.subject = source["subject"];
	        this.at = source["at"];
	    }
	}
	export class ConflictHunk {
	    baseLine: number;
	    taskLine: number;
	    before: string[];
	    base: string[];
	    common: string[];
	    task: string[];
	    after: string[];
	
	    static createFrom(source: any = {}) {
	        return new ConflictHunk(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.baseLine = source["baseLine"];
	        this.taskLine = source["taskLine"];
	        this.before = source["before"];
	        this.base = source["base"];
	        this.common = source["common"];
	        this.task = source["task"];
	        this.after = source["after"];
	    }
	}
	export class Conflict {
	    path: string;
	    kind: ConflictKind;
	    hunks: ConflictHunk[];
	    commits: number;
	    authors: string[];
	    at: number;
	    cut: boolean;
	    token: string;
	
	    static createFrom(source: any = {}) {
	        return new Conflict(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.kind = source["kind"];
	        this.hunks = this.convertValues(source["hunks"], ConflictHunk);
	        this.commits = source["commits"];
	        this.authors = source["authors"];
	        this.at = source["at"];
	        this.cut = source["cut"];
	        this.token = source["token"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class FailedCheck {
	    id: string;
	    name: string;
	    says: string;
	    url: string;
	
	    static createFrom(source: any = {}) {
	        return new FailedCheck(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.says = source["says"];
	        this.url = source["url"];
	    }
	}
	export class File {
	    view: View;
	    path: string;
	    oldPath: string;
	
	    static createFrom(source: any = {}) {
	        return new File(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.view = this.convertValues(source["view"], View);
	        this.path = source["path"];
	        this.oldPath = source["oldPath"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class FileSize {
	    path: string;
	    added: number;
	    removed: number;
	
	    static createFrom(source: any = {}) {
	        return new FileSize(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	    }
	}
	export class Landed {
	    way: MergeWay;
	    commit: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Landed(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.way = source["way"];
	        this.commit = source["commit"];
	        this.at = source["at"];
	    }
	}
	export class Lines {
	    first: number;
	    lines: string[];
	    total: number;
	
	    static createFrom(source: any = {}) {
	        return new Lines(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.first = source["first"];
	        this.lines = source["lines"];
	        this.total = source["total"];
	    }
	}
	export class MergeOrder {
	    way: MergeWay;
	    message: string;
	    failedCheck: boolean;
	    steering: boolean;
	
	    static createFrom(source: any = {}) {
	        return new MergeOrder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.way = source["way"];
	        this.message = source["message"];
	        this.failedCheck = source["failedCheck"];
	        this.steering = source["steering"];
	    }
	}
	export class MergeProposal {
	    way: MergeWay;
	    commits: number;
	    merge: string;
	    squash: string;
	
	    static createFrom(source: any = {}) {
	        return new MergeProposal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.way = source["way"];
	        this.commits = source["commits"];
	        this.merge = source["merge"];
	        this.squash = source["squash"];
	    }
	}
	export class Part {
	    id: string;
	    name: string;
	    dir: string;
	    worktree: string;
	    branch: string;
	    base: string;
	    files: number;
	    added: number;
	    removed: number;
	    commits: number;
	    behind: number;
	    way: MergeWay;
	    landed: Landed;
	    state: PartState;
	    conflicts: string[];
	    why?: reason.Reason;
	
	    static createFrom(source: any = {}) {
	        return new Part(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.dir = source["dir"];
	        this.worktree = source["worktree"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.files = source["files"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.commits = source["commits"];
	        this.behind = source["behind"];
	        this.way = source["way"];
	        this.landed = this.convertValues(source["landed"], Landed);
	        this.state = source["state"];
	        this.conflicts = source["conflicts"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PartOrder {
	    id: string;
	    way: MergeWay;
	    message: string;
	    failedCheck: boolean;
	    steering: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PartOrder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.way = source["way"];
	        this.message = source["message"];
	        this.failedCheck = source["failedCheck"];
	        this.steering = source["steering"];
	    }
	}
	export class Picture {
	    url: string;
	    bytes: number;
	    large: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Picture(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.url = source["url"];
	        this.bytes = source["bytes"];
	        this.large = source["large"];
	    }
	}
	export class PullChecks {
	    passed: number;
	    failed: number;
	    pending: number;
	
	    static createFrom(source: any = {}) {
	        return new PullChecks(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.passed = source["passed"];
	        this.failed = source["failed"];
	        this.pending = source["pending"];
	    }
	}
	export class PullOrder {
	    title: string;
	    body: string;
	    draft: boolean;
	    replace: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PullOrder(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.title = source["title"];
	        this.body = source["body"];
	        this.draft = source["draft"];
	        this.replace = source["replace"];
	    }
	}
	export class PullProposal {
	    title: string;
	    body: string;
	    branch: string;
	    base: string;
	    remote: string;
	    server: string;
	    host: PullHost;
	    tool: string;
	    rewritten: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PullProposal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.title = source["title"];
	        this.body = source["body"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.remote = source["remote"];
	        this.server = source["server"];
	        this.host = source["host"];
	        this.tool = source["tool"];
	        this.rewritten = source["rewritten"];
	    }
	}
	export class PullRequest {
	    taskId: string;
	    host: PullHost;
	    server: string;
	    repo: string;
	    remote: string;
	    branch: string;
	    base: string;
	    commit: string;
	    number: number;
	    url: string;
	    state: PullState;
	    checks: PullChecks;
	    seen: number;
	    stale: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PullRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.taskId = source["taskId"];
	        this.host = source["host"];
	        this.server = source["server"];
	        this.repo = source["repo"];
	        this.remote = source["remote"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.commit = source["commit"];
	        this.number = source["number"];
	        this.url = source["url"];
	        this.state = source["state"];
	        this.checks = this.convertValues(source["checks"], PullChecks);
	        this.seen = source["seen"];
	        this.stale = source["stale"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Turn {
	    number: number;
	    began: number;
	    text: string;
	    state: TurnState;
	    mixed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Turn(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.number = source["number"];
	        this.began = source["began"];
	        this.text = source["text"];
	        this.state = source["state"];
	        this.mixed = source["mixed"];
	    }
	}
	export class Ranges {
	    reviewed: number;
	    turns: Turn[];
	    commits: Commit[];
	
	    static createFrom(source: any = {}) {
	        return new Ranges(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.reviewed = source["reviewed"];
	        this.turns = this.convertValues(source["turns"], Turn);
	        this.commits = this.convertValues(source["commits"], Commit);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Repository {
	    name: string;
	    dir: string;
	    base: string;
	    mergeWay: MergeWay;
	    fromStart: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Repository(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.dir = source["dir"];
	        this.base = source["base"];
	        this.mergeWay = source["mergeWay"];
	        this.fromStart = source["fromStart"];
	    }
	}
	export class Side {
	    since: string;
	    path: string;
	    before: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Side(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.since = source["since"];
	        this.path = source["path"];
	        this.before = source["before"];
	    }
	}
	export class Spot {
	    path: string;
	    line: number;
	
	    static createFrom(source: any = {}) {
	        return new Spot(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.line = source["line"];
	    }
	}
	export class Stretch {
	    since: string;
	    path: string;
	    first: number;
	    last: number;
	
	    static createFrom(source: any = {}) {
	        return new Stretch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.since = source["since"];
	        this.path = source["path"];
	        this.first = source["first"];
	        this.last = source["last"];
	    }
	}
	export class TakenSides {
	    path: string;
	    token: string;
	    sides: string[];
	
	    static createFrom(source: any = {}) {
	        return new TakenSides(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.path = source["path"];
	        this.token = source["token"];
	        this.sides = source["sides"];
	    }
	}
	export class ThreadEntry {
	    author: string;
	    at: number;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new ThreadEntry(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.author = source["author"];
	        this.at = source["at"];
	        this.text = source["text"];
	    }
	}
	export class Thread {
	    id: string;
	    url: string;
	    repository?: string;
	    path: string;
	    side: CommentSide;
	    first: number;
	    last: number;
	    quote: string;
	    content: string;
	    outdated: boolean;
	    said: ThreadEntry[];
	
	    static createFrom(source: any = {}) {
	        return new Thread(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.url = source["url"];
	        this.repository = source["repository"];
	        this.path = source["path"];
	        this.side = source["side"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.quote = source["quote"];
	        this.content = source["content"];
	        this.outdated = source["outdated"];
	        this.said = this.convertValues(source["said"], ThreadEntry);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	

}

export namespace rewind {
	
	export class Done {
	    id: string;
	    questionId: string;
	    answer: beckon.Answer;
	    branch: string;
	    at: number;
	
	    static createFrom(source: any = {}) {
	        return new Done(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.questionId = source["questionId"];
	        this.answer = this.convertValues(source["answer"], beckon.Answer);
	        this.branch = source["branch"];
	        this.at = source["at"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Preview {
	    question: beckon.Question;
	    run: number;
	    turn: number;
	    at: number;
	    why?: reason.Reason;
	    files: beckon.FileDiff[];
	    count: number;
	    added: number;
	    removed: number;
	    commits: reviewing.Commit[];
	    branch: string;
	    saved: string;
	    later: beckon.Question[];
	    done?: Done;
	
	    static createFrom(source: any = {}) {
	        return new Preview(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.question = this.convertValues(source["question"], beckon.Question);
	        this.run = source["run"];
	        this.turn = source["turn"];
	        this.at = source["at"];
	        this.why = this.convertValues(source["why"], reason.Reason);
	        this.files = this.convertValues(source["files"], beckon.FileDiff);
	        this.count = source["count"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.commits = this.convertValues(source["commits"], reviewing.Commit);
	        this.branch = source["branch"];
	        this.saved = source["saved"];
	        this.later = this.convertValues(source["later"], beckon.Question);
	        this.done = this.convertValues(source["done"], Done);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace since {
	
	export class Led {
	    id: string;
	    known: boolean;
	    files: number;
	    added: number;
	    removed: number;
	    turn: number;
	    last: number;
	    mixed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Led(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.known = source["known"];
	        this.files = source["files"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.turn = source["turn"];
	        this.last = source["last"];
	        this.mixed = source["mixed"];
	    }
	}
	export class Details {
	    question: beckon.Question;
	    led: Led;
	    files: beckon.FileDiff[];
	    after: beckon.Question[];
	
	    static createFrom(source: any = {}) {
	        return new Details(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.question = this.convertValues(source["question"], beckon.Question);
	        this.led = this.convertValues(source["led"], Led);
	        this.files = this.convertValues(source["files"], beckon.FileDiff);
	        this.after = this.convertValues(source["after"], beckon.Question);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace spending {
	
	export enum By {
	    agent = "agent",
	    day = "day",
	    machine = "machine",
	    model = "model",
	    project = "project",
	    run = "run",
	    task = "task",
	}
	export enum Level {
	    near = "near",
	    reached = "reached",
	}
	export enum Scope {
	    day = "day",
	    project = "project",
	    task = "task",
	}
	export class Sum {
	    tokens: number;
	    costUsd: number;
	    unpriced: number;
	
	    static createFrom(source: any = {}) {
	        return new Sum(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tokens = source["tokens"];
	        this.costUsd = source["costUsd"];
	        this.unpriced = source["unpriced"];
	    }
	}
	export class Limit {
	    usd: number;
	    tokens: number;
	
	    static createFrom(source: any = {}) {
	        return new Limit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.usd = source["usd"];
	        this.tokens = source["tokens"];
	    }
	}
	export class Asked {
	    scope: Scope;
	    subject: string;
	    limit: Limit;
	    raised: Limit;
	    spent: Sum;
	
	    static createFrom(source: any = {}) {
	        return new Asked(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.scope = source["scope"];
	        this.subject = source["subject"];
	        this.limit = this.convertValues(source["limit"], Limit);
	        this.raised = this.convertValues(source["raised"], Limit);
	        this.spent = this.convertValues(source["spent"], Sum);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Budget {
	    scope: Scope;
	    subject: string;
	    limit: Limit;
	    each: Limit;
	    spent: Sum;
	    since: number;
	    until: number;
	    level: Level;
	
	    static createFrom(source: any = {}) {
	        return new Budget(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.scope = source["scope"];
	        this.subject = source["subject"];
	        this.limit = this.convertValues(source["limit"], Limit);
	        this.each = this.convertValues(source["each"], Limit);
	        this.spent = this.convertValues(source["spent"], Sum);
	        this.since = source["since"];
	        this.until = source["until"];
	        this.level = source["level"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Window {
	    agent: string;
	    executor: string;
	    kind: string;
	    percent: number;
	    resets: number;
	    refused: boolean;
	    said: number;
	
	    static createFrom(source: any = {}) {
	        return new Window(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.agent = source["agent"];
	        this.executor = source["executor"];
	        this.kind = source["kind"];
	        this.percent = source["percent"];
	        this.resets = source["resets"];
	        this.refused = source["refused"];
	        this.said = source["said"];
	    }
	}
	export class State {
	    budgets: Budget[];
	    today: Sum;
	    windows: Window[];
	
	    static createFrom(source: any = {}) {
	        return new State(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.budgets = this.convertValues(source["budgets"], Budget);
	        this.today = this.convertValues(source["today"], Sum);
	        this.windows = this.convertValues(source["windows"], Window);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Total {
	    id: string;
	    taskId: string;
	    number: number;
	    tokens: number;
	    costUsd: number;
	    unpriced: number;
	    runs: number;
	
	    static createFrom(source: any = {}) {
	        return new Total(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.taskId = source["taskId"];
	        this.number = source["number"];
	        this.tokens = source["tokens"];
	        this.costUsd = source["costUsd"];
	        this.unpriced = source["unpriced"];
	        this.runs = source["runs"];
	    }
	}

}

export namespace starting {
	
	export enum Kind {
	    branch = "branch",
	    issue = "issue",
	    pull = "pull",
	    task = "task",
	}
	export class FoundBranch {
	    name: string;
	    remote: string;
	    author: string;
	    at: number;
	    ahead: number;
	    behind: number;
	    dir: string;
	    taskId: string;
	
	    static createFrom(source: any = {}) {
	        return new FoundBranch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.remote = source["remote"];
	        this.author = source["author"];
	        this.at = source["at"];
	        this.ahead = source["ahead"];
	        this.behind = source["behind"];
	        this.dir = source["dir"];
	        this.taskId = source["taskId"];
	    }
	}
	export class BranchSearch {
	    here: number;
	    onRemote: number;
	    branches: FoundBranch[];
	
	    static createFrom(source: any = {}) {
	        return new BranchSearch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.here = source["here"];
	        this.onRemote = source["onRemote"];
	        this.branches = this.convertValues(source["branches"], FoundBranch);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Start {
	    kind: Kind;
	    branch: string;
	    base: string;
	    remote: string;
	    ref: string;
	    number: number;
	    url: string;
	    taskId: string;
	    found: string;
	
	    static createFrom(source: any = {}) {
	        return new Start(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.remote = source["remote"];
	        this.ref = source["ref"];
	        this.number = source["number"];
	        this.url = source["url"];
	        this.taskId = source["taskId"];
	        this.found = source["found"];
	    }
	}
	export class ItemComment {
	    author: string;
	    file: string;
	    line: number;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new ItemComment(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.author = source["author"];
	        this.file = source["file"];
	        this.line = source["line"];
	        this.text = source["text"];
	    }
	}
	export class Item {
	    kind: Kind;
	    number: number;
	    url: string;
	    title: string;
	    body: string;
	    author: string;
	    at: number;
	    open: boolean;
	    labels: string[];
	    branch: string;
	    base: string;
	    fork: string;
	    added: number;
	    removed: number;
	    comments: ItemComment[];
	    start: Start;
	    tool: string;
	
	    static createFrom(source: any = {}) {
	        return new Item(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.number = source["number"];
	        this.url = source["url"];
	        this.title = source["title"];
	        this.body = source["body"];
	        this.author = source["author"];
	        this.at = source["at"];
	        this.open = source["open"];
	        this.labels = source["labels"];
	        this.branch = source["branch"];
	        this.base = source["base"];
	        this.fork = source["fork"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.comments = this.convertValues(source["comments"], ItemComment);
	        this.start = this.convertValues(source["start"], Start);
	        this.tool = source["tool"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	

}

export namespace timeline {
	
	export class Call {
	    pos: number;
	    part: number;
	    at: number;
	    verb: beckon.Verb;
	    failed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Call(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.at = source["at"];
	        this.verb = source["verb"];
	        this.failed = source["failed"];
	    }
	}
	export class Spell {
	    pos: number;
	    part: number;
	    from: number;
	    to: number;
	
	    static createFrom(source: any = {}) {
	        return new Spell(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.from = source["from"];
	        this.to = source["to"];
	    }
	}
	export class Turn {
	    pos: number;
	    part: number;
	    number: number;
	    from: number;
	    to: number;
	    failed: boolean;
	    tokens: number;
	    costUsd: number;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new Turn(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pos = source["pos"];
	        this.part = source["part"];
	        this.number = source["number"];
	        this.from = source["from"];
	        this.to = source["to"];
	        this.failed = source["failed"];
	        this.tokens = source["tokens"];
	        this.costUsd = source["costUsd"];
	        this.text = source["text"];
	    }
	}

}

export namespace why {
	
	export enum State {
	    known = "known",
	    noChange = "noChange",
	    noText = "noText",
	    noTurn = "noTurn",
	    tooLarge = "tooLarge",
	}
	export enum Sure {
	    call = "call",
	    older = "older",
	    oneOf = "oneOf",
	    outside = "outside",
	    unknown = "unknown",
	    within = "within",
	}
	export class Call {
	    id: string;
	    runId: string;
	    pos: number;
	    at: number;
	    verb: beckon.Verb;
	    does: string;
	    number: number;
	    turn: number;
	    agent: string;
	    opening: string;
	    said: string;
	    saidPos: number;
	    question?: beckon.Question;
	
	    static createFrom(source: any = {}) {
	        return new Call(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.runId = source["runId"];
	        this.pos = source["pos"];
	        this.at = source["at"];
	        this.verb = source["verb"];
	        this.does = source["does"];
	        this.number = source["number"];
	        this.turn = source["turn"];
	        this.agent = source["agent"];
	        this.opening = source["opening"];
	        this.said = source["said"];
	        this.saidPos = source["saidPos"];
	        this.question = this.convertValues(source["question"], beckon.Question);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Reason {
	    sure: Sure;
	    others: boolean;
	    earlier: boolean;
	    added: number;
	    removed: number;
	    first: number;
	    last: number;
	    calls: Call[];
	    more: number;
	
	    static createFrom(source: any = {}) {
	        return new Reason(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.sure = source["sure"];
	        this.others = source["others"];
	        this.earlier = source["earlier"];
	        this.added = source["added"];
	        this.removed = source["removed"];
	        this.first = source["first"];
	        this.last = source["last"];
	        this.calls = this.convertValues(source["calls"], Call);
	        this.more = source["more"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Answer {
	    state: State;
	    reasons: Reason[];
	
	    static createFrom(source: any = {}) {
	        return new Answer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.reasons = this.convertValues(source["reasons"], Reason);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	

}

