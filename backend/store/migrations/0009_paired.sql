-- The chats that are paired with Beckon, and the people who may answer in them.
CREATE TABLE chat (
    -- The service's number of it, which is negative for a group.
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    language    TEXT NOT NULL,
    private     INTEGER NOT NULL,
    forum       INTEGER NOT NULL,
    -- What may be done from there.
    rights      TEXT NOT NULL,
    -- What comes there: lists, of which an empty one is everything.
    projects    TEXT NOT NULL,
    kinds       TEXT NOT NULL,
    muted_until INTEGER NOT NULL,
    -- The forum's topic of each project.
    topics      TEXT NOT NULL,
    since       INTEGER NOT NULL
) STRICT;

CREATE TABLE chat_person (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    rights TEXT NOT NULL,
    since  INTEGER NOT NULL,
    -- When they last answered; 0 for never.
    last   INTEGER NOT NULL
) STRICT;

-- How far the updates of a bot were carried out.
CREATE TABLE chat_offset (
    bot       INTEGER PRIMARY KEY,
    update_id INTEGER NOT NULL
) STRICT;

-- By which the buttons of chats are known as Beckon's own.
CREATE TABLE chat_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
) STRICT;

-- What was asked for away from the desk and done, so that it is done once.
CREATE TABLE done_once (
    name TEXT PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX done_once_at ON done_once (at);
