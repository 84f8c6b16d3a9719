-- What a task starts from, and how a project names the branches of its tasks.
ALTER TABLE task ADD COLUMN start TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(start));
ALTER TABLE project ADD COLUMN branch_pattern TEXT NOT NULL DEFAULT '';
