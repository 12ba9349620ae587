-- Signed statements, kept in the transaction of what they state, and their places in the public log.

CREATE TABLE statement (
    id    INTEGER PRIMARY KEY,  -- the order in which they were made
    pair  INTEGER NOT NULL REFERENCES pair,
    kind  TEXT NOT NULL CHECK (kind IN ('opening', 'acceptance', 'receipt', 'closing')),
    nonce INTEGER CHECK (nonce >= 0),
    text  TEXT NOT NULL,  -- a compact JWS
    CHECK ((nonce IS NULL) = (kind IN ('opening', 'closing')))
) STRICT;
CREATE UNIQUE INDEX statement_about ON statement (pair, coalesce(nonce, -1), kind);

-- Statements that have no place yet: a list of work to do.
CREATE TABLE unlogged (
    statement INTEGER PRIMARY KEY REFERENCES statement
) STRICT;

-- The log's places, from 0 without a gap. What has a place here is in the log, or is the next to be appended.
CREATE TABLE log_place (
    place     INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL UNIQUE REFERENCES statement
) STRICT;

CREATE TRIGGER statement_no_update BEFORE UPDATE ON statement
BEGIN
    SELECT RAISE(ABORT, 'statement is append-only');
END;
CREATE TRIGGER statement_no_delete BEFORE DELETE ON statement
BEGIN
    SELECT RAISE(ABORT, 'statement is append-only');
END;
CREATE TRIGGER log_place_no_update BEFORE UPDATE ON log_place
BEGIN
    SELECT RAISE(ABORT, 'log_place is append-only');
END;
CREATE TRIGGER log_place_no_delete BEFORE DELETE ON log_place
BEGIN
    SELECT RAISE(ABORT, 'log_place is append-only');
END;
CREATE TRIGGER log_place_next BEFORE INSERT ON log_place
WHEN NEW.place <> (SELECT coalesce(max(place) + 1, 0) FROM log_place)
BEGIN
    SELECT RAISE(ABORT, 'places are given one by one');
END;
CREATE TRIGGER unlogged_no_update BEFORE UPDATE ON unlogged
BEGIN
    SELECT RAISE(ABORT, 'a statement waits until it has a place');
END;
CREATE TRIGGER unlogged_placed BEFORE DELETE ON unlogged
WHEN NOT EXISTS (SELECT 1 FROM log_place WHERE log_place.statement = OLD.statement)
BEGIN
    SELECT RAISE(ABORT, 'a statement waits until it has a place');
END;
