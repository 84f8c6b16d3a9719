-- What is searched, as derived from the transcripts. It can be made again from
-- them, so it has no migrations: words of another version are thrown away.

-- done is how many lines are in, and size how long the log was then.
CREATE TABLE run (
    n       INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    task    TEXT NOT NULL,
    project TEXT NOT NULL,
    done    INTEGER NOT NULL DEFAULT 0,
    size    INTEGER NOT NULL DEFAULT 0,
    first   INTEGER NOT NULL DEFAULT 0,
    last    INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX run_task ON run (task);

-- Where the words of a row stand: in which part of which line, and where the
-- entry begins that shows them. Newer rows have higher ids.
CREATE TABLE entry (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    run  INTEGER NOT NULL,
    line INTEGER NOT NULL,
    own  INTEGER NOT NULL,
    pos  INTEGER NOT NULL,
    part INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at   INTEGER NOT NULL
) STRICT;

CREATE TABLE landmark (
    run  INTEGER NOT NULL,
    pos  INTEGER NOT NULL,
    part INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (run, pos, part)
) STRICT, WITHOUT ROWID;
