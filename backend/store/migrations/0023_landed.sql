-- How Beckon took a task's branch into its base: in which way, as which commit, and when.
ALTER TABLE task ADD COLUMN landed TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(landed));
