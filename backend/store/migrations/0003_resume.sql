-- When a queued task goes on by itself after its agent could not, and why it
-- could not: it waits for a limit to reset, or for an API that is overloaded.
ALTER TABLE task ADD COLUMN resume TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(resume));
