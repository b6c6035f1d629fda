CREATE TABLE room (
    id     TEXT PRIMARY KEY,
    seed   BLOB NOT NULL,     -- of the sealed dice; public only after the game
    link   BLOB NOT NULL,     -- key of the personal link
    owner  TEXT NOT NULL,     -- hash of the identity it belongs to
    result TEXT               -- of a finished game: ruleset, names, totals
) WITHOUT ROWID;

CREATE INDEX room_owner ON room (owner);

CREATE TABLE log (
    room  TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    at    REAL NOT NULL,      -- Unix seconds
    by    TEXT NOT NULL,      -- hash of the identity that did it
    event TEXT NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
