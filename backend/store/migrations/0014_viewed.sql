-- Which files of a task's changes the user has viewed, and as what: a file that
-- changes is another one.
CREATE TABLE viewed (
    task_id TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    path    TEXT NOT NULL,
    content TEXT NOT NULL CHECK (content <> ''),
    PRIMARY KEY (task_id, path)
) STRICT, WITHOUT ROWID;
