-- What sqlite's schema files come to. The log's primary key is the lock between two processes.
CREATE TABLE room (
    id     TEXT PRIMARY KEY,
    seed   BYTEA NOT NULL,    -- of the sealed dice; public only after the game
    link   BYTEA NOT NULL,    -- key of the personal link
    result TEXT,              -- of a finished game: ruleset, names, totals
    begun  INTEGER,           -- of friends: 0 until the game begins; null on one device
    due    DOUBLE PRECISION   -- Unix seconds: when a turn clock runs out
);

CREATE INDEX room_due ON room (due) WHERE due IS NOT NULL;

CREATE INDEX room_begun ON room (begun) WHERE begun IS NOT NULL;

CREATE TABLE member (
    viewer TEXT NOT NULL,     -- hash of an identity that plays there
    room   TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    PRIMARY KEY (viewer, room)
);

CREATE INDEX member_room ON member (room);

CREATE TABLE log (
    room  TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    at    DOUBLE PRECISION NOT NULL, -- Unix seconds
    by    TEXT NOT NULL,      -- hash of the identity that did it
    event TEXT NOT NULL,
    PRIMARY KEY (room, seq)
);

-- Who was seen where, for the other processes; nothing is lost with it, so it isn't kept safe.
CREATE UNLOGGED TABLE presence (
    room   TEXT NOT NULL,
    viewer TEXT NOT NULL,
    at     DOUBLE PRECISION NOT NULL, -- Unix seconds
    PRIMARY KEY (room, viewer)
);
