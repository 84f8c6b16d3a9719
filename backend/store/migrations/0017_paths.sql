-- Which files the work on a task changed, as many as are kept.
ALTER TABLE task ADD COLUMN paths TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(paths));
