-- What git was about to do to a task's branch, until its card says that it is done.
CREATE TABLE intent (
    task_id TEXT PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL CHECK (kind IN ('merge', 'update', 'resolve'))
) STRICT, WITHOUT ROWID;
