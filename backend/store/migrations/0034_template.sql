-- Templates make the same card again and again.
CREATE TABLE template (
    id TEXT PRIMARY KEY NOT NULL,
    project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    task TEXT NOT NULL CHECK (json_valid(task)),
    schedule TEXT NOT NULL,
    missed TEXT NOT NULL,
    paused INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    refusal TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (project_id, name)
) STRICT;
-- The template that made a task; empty where none did.
ALTER TABLE task ADD COLUMN template_id TEXT NOT NULL DEFAULT '';
CREATE INDEX task_template ON task (template_id, created) WHERE template_id <> '';
