-- Comments on lines of a task's changes. The message that takes some to the agent is
-- gone once the agent has it, so message_id is no reference; where a message is sent
-- again under another id, they stay with it.
CREATE TABLE comment (
    id         TEXT    PRIMARY KEY,
    task_id    TEXT    NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL CHECK (number > 0),
    path       TEXT    NOT NULL,
    side       TEXT    NOT NULL CHECK (side IN ('before', 'after')),
    first      INTEGER NOT NULL,
    last       INTEGER NOT NULL,
    quote      TEXT    NOT NULL,
    content    TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    message_id TEXT    NOT NULL,
    answer     TEXT    NOT NULL,
    turn       INTEGER NOT NULL,
    created    INTEGER NOT NULL,
    sent       INTEGER NOT NULL,
    answered   INTEGER NOT NULL,
    resolved   INTEGER NOT NULL,
    UNIQUE (task_id, number)
) STRICT;

CREATE INDEX comment_message ON comment (message_id) WHERE message_id <> '';

CREATE TRIGGER comment_message_again AFTER UPDATE OF id ON message WHEN NEW.id <> OLD.id BEGIN
    UPDATE comment SET message_id = NEW.id WHERE message_id = OLD.id;
END;
