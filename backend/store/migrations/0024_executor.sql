-- Where runs execute besides this computer.
CREATE TABLE executor (
	id      TEXT PRIMARY KEY,
	name    TEXT NOT NULL,
	kind    TEXT NOT NULL CHECK (kind IN ('ssh')),
	host    TEXT NOT NULL,
	slots   INTEGER NOT NULL CHECK (slots > 0),
	created INTEGER NOT NULL
) STRICT;
-- Empty is the project's, of a project this computer; 'here' of a task is this computer too.
ALTER TABLE project ADD COLUMN executor TEXT NOT NULL DEFAULT '';
ALTER TABLE task ADD COLUMN executor TEXT NOT NULL DEFAULT '';
-- Where a run executed; empty for this computer.
ALTER TABLE run ADD COLUMN executor TEXT NOT NULL DEFAULT '';
