-- The trees that a task's worktree amounted to when its turns began and ended, and
-- when the user reviewed it; an empty one was not recorded. Mixed says that what
-- others than the agent of the turn changed may be in a turn.
CREATE TABLE turn (
    task_id TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL CHECK (number > 0),
    run_id  TEXT    NOT NULL,
    nth     INTEGER NOT NULL,
    began   INTEGER NOT NULL,
    ended   INTEGER NOT NULL,
    before  TEXT    NOT NULL,
    after   TEXT    NOT NULL,
    mixed   INTEGER NOT NULL,
    PRIMARY KEY (task_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE reviewed (
    task_id TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    tree    TEXT    NOT NULL CHECK (tree <> ''),
    at      INTEGER NOT NULL,
    PRIMARY KEY (task_id, tree)
) STRICT, WITHOUT ROWID;

-- The repositories in which refs keep such trees: of tasks that are gone, too, for
-- these refs are still to be removed.
CREATE TABLE turn_ref (
    task_id TEXT NOT NULL,
    dir     TEXT NOT NULL,
    PRIMARY KEY (task_id, dir)
) STRICT, WITHOUT ROWID;
