-- Containers and clusters are executors too. Kinds and engines are checked where they are saved.
ALTER TABLE executor RENAME TO old_executor;
CREATE TABLE executor (
	id        TEXT PRIMARY KEY,
	name      TEXT NOT NULL,
	kind      TEXT NOT NULL,
	host      TEXT NOT NULL,
	slots     INTEGER NOT NULL CHECK (slots > 0),
	created   INTEGER NOT NULL,
	variables TEXT NOT NULL DEFAULT '[]',
	engine    TEXT NOT NULL DEFAULT 'podman',
	image     TEXT NOT NULL DEFAULT '',
	network   TEXT NOT NULL DEFAULT 'engine',
	options   TEXT NOT NULL DEFAULT '',
	context   TEXT NOT NULL DEFAULT '',
	namespace TEXT NOT NULL DEFAULT '',
	template  TEXT NOT NULL DEFAULT '',
	queue     TEXT NOT NULL DEFAULT '',
	secret    TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO executor (id, name, kind, host, slots, created) SELECT id, name, kind, host, slots, created FROM old_executor;
DROP TABLE old_executor;
