-- The phones that are paired with Beckon.
CREATE TABLE device (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    -- The SHA-256 of what its cookie holds.
    secret    BLOB NOT NULL UNIQUE,
    -- The SHA-256 of what its page sends beside the cookie.
    key       BLOB NOT NULL,
    -- What may be done from it.
    rights    TEXT NOT NULL,
    language  TEXT NOT NULL,
    since     INTEGER NOT NULL,
    -- When it last answered; 0 for never.
    last      INTEGER NOT NULL,
    -- When it was last there, to the minute.
    seen      INTEGER NOT NULL,
    -- Whether somebody at the desk said that it is theirs.
    confirmed INTEGER NOT NULL,
    -- How its browser is sent messages, as the browser says it; empty for not at all.
    push      TEXT NOT NULL
) STRICT;
