-- Scorecards of real dice, as whoever keeps them shows them to others: the newest state alone.
CREATE TABLE sheet (
    id     TEXT PRIMARY KEY,
    keeper TEXT NOT NULL,     -- hash of the key that lets its keeper write
    number INTEGER NOT NULL,  -- higher for each newer state
    at     REAL NOT NULL,     -- Unix seconds
    body   TEXT NOT NULL      -- rooms/sheet.py's Sheet as JSON
) WITHOUT ROWID;

CREATE INDEX sheet_at ON sheet (at);
