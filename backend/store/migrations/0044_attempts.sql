-- Questions that were answered with two answers: the task that asked goes on with the first, and
-- a second task begins at the question's checkpoint with the other. Answer and other are JSON;
-- step says how far that is. The second task may not be there yet, or not any more.
CREATE TABLE attempt (
    question_id TEXT    PRIMARY KEY,
    task_id     TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    other_id    TEXT    NOT NULL,
    asked       TEXT    NOT NULL,
    answer      TEXT    NOT NULL,
    other       TEXT    NOT NULL,
    step        TEXT    NOT NULL,
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_task ON attempt (task_id);
CREATE INDEX attempt_other ON attempt (other_id);
