-- The variables of an executor whose value Beckon keeps, in the system's key ring.
ALTER TABLE executor ADD COLUMN kept TEXT NOT NULL DEFAULT '[]';
