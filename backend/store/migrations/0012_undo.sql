-- What a person changed last on cards and may take back, the newest with the
-- highest id.
CREATE TABLE undo_step (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Names the change while its cards are written, one after the other.
    token TEXT NOT NULL UNIQUE,
    kind  TEXT NOT NULL CHECK (kind <> ''),
    at    INTEGER NOT NULL
) STRICT;

-- How each of its cards was and became: the fields that differ, as JSON. The
-- card itself may be gone.
CREATE TABLE undo_card (
    step    INTEGER NOT NULL REFERENCES undo_step (id) ON DELETE CASCADE,
    task_id TEXT NOT NULL,
    key     TEXT NOT NULL,
    before  TEXT NOT NULL,
    after   TEXT NOT NULL,
    -- All rows of a card that was deleted, as JSON by table, and the ids of its
    -- runs, whose logs are kept with it; NULL of one that is there.
    deleted TEXT,
    runs    TEXT,
    PRIMARY KEY (step, task_id)
) STRICT;

-- Nothing of a project that is removed is brought back.
CREATE TRIGGER undo_without_project BEFORE DELETE ON project BEGIN
    DELETE FROM undo_card WHERE deleted ->> '$.task[0].project_id' = old.id OR task_id IN (SELECT id FROM task WHERE project_id = old.id);
    DELETE FROM undo_step WHERE id NOT IN (SELECT step FROM undo_card);
END;
