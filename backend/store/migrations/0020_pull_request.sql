-- The pull request that was opened for a task, and what its server last said of it.
CREATE TABLE pull_request (
    task_id TEXT PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
    host    TEXT NOT NULL CHECK (host IN ('github', 'gitlab', 'other')),
    server  TEXT NOT NULL,
    repo    TEXT NOT NULL,
    remote  TEXT NOT NULL,
    branch  TEXT NOT NULL,
    base    TEXT NOT NULL,
    pushed  TEXT NOT NULL,
    number  INTEGER NOT NULL,
    url     TEXT NOT NULL,
    state   TEXT NOT NULL CHECK (state IN ('pushed', 'open', 'draft', 'merged', 'closed')),
    checks  TEXT NOT NULL CHECK (json_valid(checks)),
    seen    INTEGER NOT NULL,
    stale   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
