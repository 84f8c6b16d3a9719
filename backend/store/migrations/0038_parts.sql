-- Further repositories of a project, in which its tasks work too.
ALTER TABLE project ADD COLUMN repositories TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(repositories));

-- The work of a task in one of them. The id is that of the task, a slash, and the name.
CREATE TABLE part (
    id          TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    dir         TEXT NOT NULL,
    worktree    TEXT NOT NULL,
    branch      TEXT NOT NULL,
    base        TEXT NOT NULL,
    base_commit TEXT NOT NULL,
    changes     TEXT NOT NULL CHECK (json_valid(changes)),
    landed      TEXT NOT NULL CHECK (json_valid(landed)),
    kept_ref    TEXT NOT NULL,
    kept_until  INTEGER NOT NULL,
    CHECK (id = task_id || '/' || name)
) STRICT;
CREATE INDEX part_task ON part (task_id);

-- Comments are on lines of one repository: by its name, empty for the project's own.
ALTER TABLE comment ADD COLUMN repository TEXT NOT NULL DEFAULT '';

-- These rows belong to a task or to one of its parts; card is the id of the task in both.
ALTER TABLE viewed RENAME TO old_viewed;
CREATE TABLE viewed (
    task_id TEXT NOT NULL,
    card    TEXT NOT NULL AS (substr(task_id, 1, instr(task_id || '/', '/') - 1)) STORED REFERENCES task (id) ON DELETE CASCADE,
    path    TEXT NOT NULL,
    content TEXT NOT NULL CHECK (content <> ''),
    PRIMARY KEY (task_id, path)
) STRICT, WITHOUT ROWID;
INSERT INTO viewed (task_id, path, content) SELECT task_id, path, content FROM old_viewed;
DROP TABLE old_viewed;
CREATE INDEX viewed_card ON viewed (card);

ALTER TABLE reviewed RENAME TO old_reviewed;
CREATE TABLE reviewed (
    task_id TEXT    NOT NULL,
    card    TEXT    NOT NULL AS (substr(task_id, 1, instr(task_id || '/', '/') - 1)) STORED REFERENCES task (id) ON DELETE CASCADE,
    tree    TEXT    NOT NULL CHECK (tree <> ''),
    at      INTEGER NOT NULL,
    PRIMARY KEY (task_id, tree)
) STRICT, WITHOUT ROWID;
INSERT INTO reviewed (task_id, tree, at) SELECT task_id, tree, at FROM old_reviewed;
DROP TABLE old_reviewed;
CREATE INDEX reviewed_card ON reviewed (card);

ALTER TABLE intent RENAME TO old_intent;
CREATE TABLE intent (
    task_id TEXT PRIMARY KEY,
    card    TEXT NOT NULL AS (substr(task_id, 1, instr(task_id || '/', '/') - 1)) STORED REFERENCES task (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    -- The ids of the parts that are merged together with the task, in order.
    parts   TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(parts))
) STRICT, WITHOUT ROWID;
INSERT INTO intent (task_id, kind) SELECT task_id, kind FROM old_intent;
DROP TABLE old_intent;

ALTER TABLE pull_request RENAME TO old_pull_request;
CREATE TABLE pull_request (
    task_id TEXT PRIMARY KEY,
    card    TEXT NOT NULL AS (substr(task_id, 1, instr(task_id || '/', '/') - 1)) STORED REFERENCES task (id) ON DELETE CASCADE,
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
INSERT INTO pull_request (task_id, host, server, repo, remote, branch, base, pushed, number, url, state, checks, seen, stale)
SELECT task_id, host, server, repo, remote, branch, base, pushed, number, url, state, checks, seen, stale FROM old_pull_request;
DROP TABLE old_pull_request;
