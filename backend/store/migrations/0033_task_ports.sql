-- The first of the ports in a row that a task has for its servers, until it is archived or
-- deleted. They do not come back with a deleted card: another may have them by then, so this
-- table does not refer to the card's.
CREATE TABLE task_ports (
    task_id TEXT NOT NULL PRIMARY KEY,
    first   INTEGER NOT NULL UNIQUE CHECK (first BETWEEN 1024 AND 65526)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER task_ports_archived AFTER UPDATE OF status ON task WHEN NEW.status = 'archived' BEGIN
    DELETE FROM task_ports WHERE task_id = NEW.id;
END;

CREATE TRIGGER task_ports_deleted AFTER DELETE ON task BEGIN
    DELETE FROM task_ports WHERE task_id = OLD.id;
END;
