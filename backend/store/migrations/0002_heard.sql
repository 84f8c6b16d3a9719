-- Under which ID the agent's own record of the conversation will show an
-- answer, and whether an agent may have had a message that waits.
ALTER TABLE question ADD COLUMN proof TEXT NOT NULL DEFAULT '';
ALTER TABLE message ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1));
