-- What a project has its worktrees run.
ALTER TABLE project ADD COLUMN scripts TEXT NOT NULL DEFAULT '{"copied":[]}' CHECK (json_valid(scripts));

-- How each command ran the last time in a task's worktree. What it printed is in a file.
CREATE TABLE script_run (
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL CHECK (kind IN ('setup', 'check', 'dev')),
    state   TEXT NOT NULL CHECK (state IN ('running', 'passed', 'failed', 'stopped', 'late', 'lost')),
    command TEXT NOT NULL,
    at      TEXT NOT NULL,
    code    INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended   INTEGER NOT NULL,
    PRIMARY KEY (task_id, kind)
) STRICT, WITHOUT ROWID;
