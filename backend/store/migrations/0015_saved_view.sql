-- How a person looks at the board, under a name: conditions and display, as JSON.
CREATE TABLE saved_view (
    id      TEXT PRIMARY KEY CHECK (id <> ''),
    name    TEXT NOT NULL CHECK (name <> ''),
    clauses TEXT NOT NULL CHECK (json_valid(clauses)),
    display TEXT NOT NULL CHECK (json_valid(display)),
    created INTEGER NOT NULL
) STRICT;
