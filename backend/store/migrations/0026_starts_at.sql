-- Before when the queue does not start a task; 0: at any time.
ALTER TABLE task ADD COLUMN starts_at INTEGER NOT NULL DEFAULT 0;
