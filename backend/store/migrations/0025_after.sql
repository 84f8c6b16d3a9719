-- The task that is to be over before the queue starts this one; empty: none.
ALTER TABLE task ADD COLUMN after_id TEXT NOT NULL DEFAULT '';
