-- A room is in the lists of all who play in it; a room of friends doesn't stay for good.
CREATE TABLE member (
    viewer TEXT NOT NULL,     -- hash of an identity that plays there
    room   TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    PRIMARY KEY (viewer, room)
) WITHOUT ROWID;

CREATE INDEX member_room ON member (room);

INSERT INTO member (viewer, room) SELECT owner, id FROM room;

DROP INDEX room_owner;

ALTER TABLE room DROP COLUMN owner;

ALTER TABLE room ADD COLUMN begun INTEGER; -- of friends: 0 until the game begins; null on one device

ALTER TABLE room ADD COLUMN due REAL;      -- Unix seconds: when a turn clock runs out

CREATE INDEX room_due ON room (due) WHERE due IS NOT NULL;

CREATE INDEX room_begun ON room (begun) WHERE begun IS NOT NULL;
