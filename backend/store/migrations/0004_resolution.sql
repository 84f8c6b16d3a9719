-- How the work on a task ended, where an archived card came from, and what
-- keeps a discarded branch, until when.
ALTER TABLE task ADD COLUMN resolution TEXT NOT NULL DEFAULT '' CHECK (resolution IN ('', 'merged', 'closed', 'discarded'));
ALTER TABLE task ADD COLUMN archived_from TEXT NOT NULL DEFAULT '' CHECK (archived_from IN ('', 'backlog', 'queued', 'running', 'review', 'done'));
ALTER TABLE task ADD COLUMN kept_ref TEXT NOT NULL DEFAULT '';
ALTER TABLE task ADD COLUMN kept_until INTEGER NOT NULL DEFAULT 0;
