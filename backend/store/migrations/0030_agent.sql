-- Which kind of agent works on a task, and worked in a run; empty for Claude Code.
ALTER TABLE task ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN agent TEXT NOT NULL DEFAULT '';
