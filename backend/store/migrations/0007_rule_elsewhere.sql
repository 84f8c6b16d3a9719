-- A standing answer holds for sessions that Beckon did not start only where the
-- user said so for it.
ALTER TABLE rule ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere IN (0, 1));
