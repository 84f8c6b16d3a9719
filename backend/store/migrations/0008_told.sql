-- What channels told somebody away from the desk, or are to tell: one row for each
-- message. What a message says is made from its subject when it is sent, so
-- that no text lies here that was settled or masked since.
CREATE TABLE told (
    id      TEXT PRIMARY KEY CHECK (id <> ''),
    channel TEXT NOT NULL CHECK (channel IN ('hook', 'push', 'telegram')),
    -- Whom: a chat, a subscription; empty where a channel has one.
    target  TEXT NOT NULL,
    -- What about, such as question/ID.
    subject TEXT NOT NULL CHECK (subject <> ''),
    state   TEXT NOT NULL CHECK (state IN ('due', 'sending', 'said', 'over')),
    -- Counts the changes of the subject, so that none is lost while one is sent.
    version INTEGER NOT NULL,
    -- When it may be sent, and how often that failed.
    due     INTEGER NOT NULL,
    tries   INTEGER NOT NULL,
    -- What the service calls it, once it has it.
    message TEXT NOT NULL,
    taken   INTEGER NOT NULL,
    -- What the channel keeps with it, such as an answer half given.
    notes   TEXT NOT NULL,
    UNIQUE (channel, target, subject)
) STRICT;

CREATE INDEX told_next ON told (channel, target) WHERE state IN ('due', 'sending');
CREATE INDEX told_subject ON told (subject);
