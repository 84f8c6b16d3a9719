-- A run may go on with a session that was begun elsewhere: in its folder, with the
-- files of its CLI, or by a copy, which until its first turn is known by what it
-- is a copy of.
ALTER TABLE run ADD COLUMN copy_of TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN dir TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN config_dir TEXT NOT NULL DEFAULT '';

-- A fork that has not spoken yet had the session of the chat that it comes from.
UPDATE run SET copy_of = session, session = ''
WHERE kind = 'chat' AND session <> '' AND EXISTS (
    SELECT 1 FROM run AS other WHERE other.session = run.session AND other.task_id <> run.task_id AND other.rowid < run.rowid
);
CREATE INDEX run_session ON run (session);
