-- The discard of a part that is under way: the token of its loss, and when it began.
ALTER TABLE part ADD COLUMN leaving TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(leaving));
-- What keeps the work of a part from before its task was started over.
ALTER TABLE part ADD COLUMN before_ref TEXT NOT NULL DEFAULT '';
ALTER TABLE part ADD COLUMN before_until INTEGER NOT NULL DEFAULT 0;
