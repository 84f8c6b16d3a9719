-- What a task's worktree was when a question was asked: its commit, the tree of its files and
-- that of its index, which refs of turns keep. None says why there is no such state; then the
-- three are empty. Turn counts within the run, from 1; context is in tokens.
CREATE TABLE checkpoint (
    question_id TEXT    PRIMARY KEY,
    task_id     TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    run_id      TEXT    NOT NULL,
    head        TEXT    NOT NULL,
    tree        TEXT    NOT NULL,
    staged      TEXT    NOT NULL,
    session     TEXT    NOT NULL,
    turn        INTEGER NOT NULL,
    context     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    none        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX checkpoint_task ON checkpoint (task_id);

-- The worktrees that were taken back to a checkpoint: what the work was before and after, as
-- JSON, and the branch that keeps what was before. Step says how far git is.
CREATE TABLE rewind (
    id          TEXT    PRIMARY KEY,
    task_id     TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    question_id TEXT    NOT NULL,
    step        TEXT    NOT NULL,
    branch      TEXT    NOT NULL,
    before      TEXT    NOT NULL,
    after       TEXT    NOT NULL,
    answer      TEXT    NOT NULL,
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rewind_task ON rewind (task_id, at);
