-- The words are those of package beckon. Times are Unix milliseconds, 0 for
-- never. What is searched or summed is a column; what has parts is JSON.

CREATE TABLE project (
    id      TEXT PRIMARY KEY CHECK (id <> ''),
    key     TEXT NOT NULL UNIQUE CHECK (key <> ''),
    name    TEXT NOT NULL,
    dir     TEXT NOT NULL UNIQUE CHECK (dir <> ''),
    color   INTEGER NOT NULL CHECK (color BETWEEN 1 AND 4),
    git     INTEGER NOT NULL CHECK (git IN (0, 1)),
    base    TEXT NOT NULL,
    model   TEXT NOT NULL,
    mode    TEXT NOT NULL CHECK (mode IN ('auto', 'default', 'acceptEdits', 'plan', 'bypassPermissions')),
    policy  TEXT NOT NULL CHECK (policy IN ('proceed', 'wait', 'park')),
    wait_ms INTEGER NOT NULL CHECK (wait_ms >= 0),
    trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
    created INTEGER NOT NULL,
    -- The highest number a task of it ever had. A branch and a message may
    -- name KES-47 long after the task is gone, so no number is given twice.
    numbered INTEGER NOT NULL DEFAULT 0,
    allowed  TEXT NOT NULL CHECK (json_valid(allowed)),
    setup    TEXT NOT NULL DEFAULT '',
    limits   TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(limits)),
    -- What the project's newest agent said that it can do.
    abilities TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(abilities))
) STRICT;

-- The empty mode and policy are the project's.
CREATE TABLE task (
    id          TEXT PRIMARY KEY CHECK (id <> ''),
    project_id  TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    title       TEXT NOT NULL,
    brief       TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('backlog', 'queued', 'running', 'review', 'done', 'archived')),
    rank        REAL NOT NULL,
    labels      TEXT NOT NULL CHECK (json_valid(labels)),
    priority    INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 4),
    model       TEXT NOT NULL,
    mode        TEXT NOT NULL CHECK (mode IN ('', 'auto', 'default', 'acceptEdits', 'plan', 'bypassPermissions')),
    policy      TEXT NOT NULL CHECK (policy IN ('', 'proceed', 'wait', 'park')),
    wait_ms     INTEGER NOT NULL CHECK (wait_ms >= 0),
    worktree    TEXT NOT NULL,
    branch      TEXT NOT NULL,
    base        TEXT NOT NULL,
    base_commit TEXT NOT NULL,
    session     TEXT NOT NULL,
    files       INTEGER NOT NULL,
    added       INTEGER NOT NULL,
    removed     INTEGER NOT NULL,
    commits     INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    cost_usd    REAL NOT NULL,
    worked_ms   INTEGER NOT NULL,
    trouble     TEXT NOT NULL,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    UNIQUE (project_id, number)
) STRICT;

CREATE INDEX task_column ON task (status, rank);

-- A run that was started elsewhere may belong to no task. The phase is not
-- here: it is computed from what is known of a process, not remembered.
CREATE TABLE run (
    id        TEXT PRIMARY KEY CHECK (id <> ''),
    task_id   TEXT REFERENCES task (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('task', 'chat', 'external')),
    outcome   TEXT NOT NULL CHECK (outcome IN ('', 'succeeded', 'failed', 'stopped', 'limited', 'lost', 'parked')),
    reason    TEXT NOT NULL,
    detail    TEXT NOT NULL,
    session   TEXT NOT NULL,
    model     TEXT NOT NULL,
    mode      TEXT NOT NULL CHECK (mode IN ('', 'auto', 'default', 'acceptEdits', 'plan', 'bypassPermissions')),
    effort    TEXT NOT NULL,
    context   TEXT NOT NULL CHECK (json_valid(context)),
    activity  TEXT NOT NULL CHECK (json_valid(activity)),
    turns     INTEGER NOT NULL,
    tokens    INTEGER NOT NULL,
    cost_usd  REAL NOT NULL,
    worked_ms INTEGER NOT NULL,
    started   INTEGER NOT NULL,
    ended     INTEGER NOT NULL,
    UNIQUE (task_id, number),
    CHECK (task_id IS NOT NULL OR kind = 'external'),
    CHECK ((ended = 0) = (outcome = ''))
) STRICT;

CREATE INDEX run_live ON run (started) WHERE ended = 0;

-- An expired question may have an answer too: the late one.
CREATE TABLE question (
    id          TEXT PRIMARY KEY CHECK (id <> ''),
    task_id     TEXT REFERENCES task (id) ON DELETE CASCADE,
    run_id      TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL CHECK (kind IN ('ask', 'permission', 'plan', 'elicitation')),
    tool_use_id TEXT NOT NULL,
    agent       TEXT NOT NULL,
    items       TEXT NOT NULL CHECK (json_valid(items)),
    permission  TEXT CHECK (json_valid(permission)),
    plan        TEXT NOT NULL,
    form        TEXT NOT NULL,
    message     TEXT NOT NULL,
    -- Who asks from outside, and from where.
    origin      TEXT NOT NULL,
    policy      TEXT NOT NULL CHECK (policy IN ('proceed', 'wait', 'park')),
    asked       INTEGER NOT NULL,
    deadline    INTEGER NOT NULL,
    wait_ms     INTEGER NOT NULL CHECK (wait_ms >= 0),
    held_ms     INTEGER NOT NULL CHECK (held_ms >= 0),
    settlement  TEXT NOT NULL CHECK (settlement IN ('open', 'answered', 'expired', 'withdrawn', 'stranded')),
    answer      TEXT CHECK (json_valid(answer)),
    settled     INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    delivered   INTEGER NOT NULL,
    -- What the agent took for granted when nobody answered, in its words.
    assumption  TEXT NOT NULL,
    -- The standing answer that settled it. A rule may be gone since.
    rule_id     TEXT NOT NULL,
    CHECK ((settled = 0) = (settlement IN ('open', 'stranded'))),
    CHECK (settlement <> 'answered' OR answer IS NOT NULL)
) STRICT;

CREATE INDEX question_waiting ON question (asked) WHERE settlement IN ('open', 'stranded');
CREATE INDEX question_task ON question (task_id, asked);
CREATE INDEX question_run ON question (run_id);
CREATE INDEX question_answered ON question (answer ->> 'at') WHERE answer IS NOT NULL;
CREATE INDEX question_owed ON question (task_id) WHERE delivered = 0 AND answer IS NOT NULL;

-- Standing answers. The text is compared in its normal form, of which a
-- project has one.
CREATE TABLE rule (
    id         TEXT PRIMARY KEY CHECK (id <> ''),
    project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    text       TEXT NOT NULL,
    normal     TEXT NOT NULL CHECK (normal <> ''),
    labels     TEXT NOT NULL CHECK (json_valid(labels)),
    created    INTEGER NOT NULL,
    used       INTEGER NOT NULL,
    UNIQUE (project_id, normal)
) STRICT;

-- What was typed as an answer and not sent yet.
CREATE TABLE draft (
    question_id TEXT PRIMARY KEY REFERENCES question (id) ON DELETE CASCADE,
    text        TEXT NOT NULL
) STRICT;

-- What the user tells a task's agent, until the agent has taken it. The
-- order among those that wait is their rank's; those that were handed over
-- come first, in the order of that.
CREATE TABLE message (
    id      TEXT PRIMARY KEY CHECK (id <> ''),
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    text    TEXT NOT NULL,
    images  TEXT NOT NULL CHECK (json_valid(images)),
    rank    INTEGER NOT NULL,
    written INTEGER NOT NULL,
    sent    INTEGER NOT NULL
) STRICT;

CREATE INDEX message_queue ON message (task_id, rank);

-- What was typed as a message and not sent yet.
CREATE TABLE message_draft (
    task_id TEXT PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
    text    TEXT NOT NULL
) STRICT;

CREATE TABLE setting (
    key   TEXT PRIMARY KEY CHECK (key <> ''),
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
