-- The house's tables.
--
-- An amount is a whole number of smallest currency units, 0 to 10^38 - 1, as text in its one spelling: decimal digits, no sign, no leading
-- zero. Text in a STRICT table can't turn into a floating-point number, and without a sign no amount and no balance can be negative.
-- A time is a whole number of microseconds since 1970-01-01 in UTC.

-- Who has money. A bettor's balance is kept here; the house's and the outside world's follow from the transfers, so that no bettor's
-- transaction waits for another's at a row that they share.
CREATE TABLE account (
    number   INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL CHECK (kind IN ('bettor', 'house', 'outside')),
    bettor   TEXT NOT NULL CHECK ((kind = 'bettor') = (bettor <> '')),
    currency TEXT NOT NULL,  -- like 'USD/2', or '' where it has no name
    balance  TEXT CHECK ((kind = 'bettor') = (balance IS NOT NULL)),
    UNIQUE (kind, currency, bettor),
    CHECK (balance NOT GLOB '*[^0-9]*' AND balance NOT GLOB '0?*' AND length(balance) BETWEEN 1 AND 38)
) STRICT;

-- Pay tables as canonical JSON. A pair keeps the one that it was committed with.
CREATE TABLE pay_table (
    digest TEXT NOT NULL PRIMARY KEY,
    form   TEXT NOT NULL
) STRICT;

-- Seed pairs: one server seed, one commitment, one bettor, one counter of coups.
CREATE TABLE pair (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    account      INTEGER NOT NULL REFERENCES account,
    scheme       TEXT NOT NULL,
    decks        INTEGER NOT NULL CHECK (decks BETWEEN 1 AND 8),
    commitment   BLOB NOT NULL UNIQUE CHECK (length(commitment) = 32),
    seed_mark    BLOB NOT NULL UNIQUE CHECK (length(seed_mark) = 32),  -- a hash, so that no server seed serves twice
    pay_table    TEXT NOT NULL REFERENCES pay_table,
    cap          INTEGER NOT NULL CHECK (cap BETWEEN 1 AND 9007199254740992),
    is_remote    INTEGER NOT NULL CHECK (is_remote IN (0, 1)),  -- whether its money is in the operator's own wallet
    state        TEXT NOT NULL CHECK (state IN ('committed', 'active', 'closing', 'revealed')),
    sealed       BLOB NOT NULL,
    key_id       TEXT NOT NULL,
    server_seed  BLOB CHECK (length(server_seed) = 32),
    client_seed  BLOB CHECK (length(client_seed) BETWEEN 1 AND 128),
    made_by      TEXT CHECK (made_by IN ('bettor', 'operator')),
    next_nonce   INTEGER NOT NULL DEFAULT 0 CHECK (next_nonce BETWEEN 0 AND cap),
    settled      INTEGER NOT NULL DEFAULT 0 CHECK (settled BETWEEN 0 AND next_nonce),
    committed_at INTEGER NOT NULL,
    chosen_at    INTEGER,
    closed_at    INTEGER,
    revealed_at  INTEGER,
    successor    INTEGER UNIQUE REFERENCES pair,
    CHECK ((state = 'revealed') = (server_seed IS NOT NULL)),
    CHECK (state <> 'revealed' OR settled = next_nonce),
    CHECK (state NOT IN ('active') OR client_seed IS NOT NULL),
    CHECK ((client_seed IS NULL) = (made_by IS NULL))
) STRICT;
CREATE INDEX pair_of_account ON pair (account);
CREATE INDEX pair_under_key ON pair (key_id) WHERE state <> 'revealed';

-- Double entry: every transfer takes from one account what it gives to another.
CREATE TABLE transfer (
    id      INTEGER PRIMARY KEY,
    kind    TEXT NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'stake', 'return')),
    payer   INTEGER NOT NULL REFERENCES account,
    payee   INTEGER NOT NULL REFERENCES account,
    amount  TEXT NOT NULL CHECK (amount NOT GLOB '*[^0-9]*' AND amount NOT GLOB '0*' AND length(amount) BETWEEN 1 AND 38),
    balance TEXT NOT NULL CHECK (balance NOT GLOB '*[^0-9]*' AND balance NOT GLOB '0?*' AND length(balance) BETWEEN 1 AND 38),
    CHECK (payer <> payee)
) STRICT;

-- The same as postings, two for each transfer, whose sum is zero by construction.
CREATE VIEW posting (transfer, account, sign, amount) AS
    SELECT id, payer, '-', amount FROM transfer
    UNION ALL
    SELECT id, payee, '+', amount FROM transfer;

-- Deposits and withdrawals by the key they were asked for with.
CREATE TABLE cash (
    transfer INTEGER PRIMARY KEY REFERENCES transfer,
    account  INTEGER NOT NULL REFERENCES account,
    key      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    UNIQUE (account, key)
) STRICT;

-- Accepted rounds: the nonce is spent and the stake is taken. Account and key name the request, pair and bets are what it asked for.
CREATE TABLE round (
    id          INTEGER PRIMARY KEY,
    pair        INTEGER NOT NULL REFERENCES pair,
    nonce       INTEGER NOT NULL CHECK (nonce >= 0),
    place       INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0),  -- the coup's place in a shoe dealt through
    account     INTEGER NOT NULL REFERENCES account,
    key         TEXT NOT NULL,
    bets        TEXT NOT NULL,  -- like 'banker:200 tie:5', in the order of the names
    exposure    TEXT NOT NULL CHECK (exposure NOT GLOB '*[^0-9]*' AND exposure NOT GLOB '0*' AND length(exposure) BETWEEN 1 AND 38),
    transfer    INTEGER NOT NULL REFERENCES transfer,  -- of the stake
    accepted_at INTEGER NOT NULL,
    UNIQUE (pair, nonce, place),
    UNIQUE (account, key)
) STRICT;
CREATE INDEX round_of_account ON round (account);
CREATE INDEX round_of_account_in_time ON round (account, accepted_at);
CREATE INDEX round_in_time ON round (accepted_at);

-- Rounds that are accepted and not dealt yet: a list of work to do. A round that is dealt at once never gets here.
CREATE TABLE open_round (
    round   INTEGER PRIMARY KEY REFERENCES round,
    account INTEGER NOT NULL REFERENCES account
) STRICT;
CREATE INDEX open_round_of_account ON open_round (account);

-- What was dealt, and what it returned.
CREATE TABLE coup (
    round      INTEGER PRIMARY KEY REFERENCES round,
    cut        INTEGER NOT NULL CHECK (cut BETWEEN 0 AND 415),
    cards      TEXT NOT NULL,  -- like 'AsKh9dTc2s7h', positions 1 to 6
    returned   TEXT NOT NULL CHECK (returned NOT GLOB '*[^0-9]*' AND returned NOT GLOB '0?*' AND length(returned) BETWEEN 1 AND 38),
    transfer   INTEGER REFERENCES transfer,  -- of the return, unless that is nothing
    settled_at INTEGER NOT NULL,
    CHECK ((returned = '0') = (transfer IS NULL))
) STRICT;

-- Debits and credits of an operator's own wallet, by the transaction id that the wallet knows them under.
CREATE TABLE leg (
    id      TEXT NOT NULL PRIMARY KEY,
    kind    TEXT NOT NULL CHECK (kind IN ('debit', 'credit')),
    pair    INTEGER NOT NULL REFERENCES pair,
    account INTEGER NOT NULL REFERENCES account,
    key     TEXT NOT NULL,
    bets    TEXT NOT NULL,
    amount  TEXT NOT NULL CHECK (amount NOT GLOB '*[^0-9]*' AND amount NOT GLOB '0*' AND length(amount) BETWEEN 1 AND 38),
    state   TEXT NOT NULL CHECK (state IN ('begun', 'done', 'voiding', 'void')),
    reason  TEXT NOT NULL DEFAULT '',
    at      INTEGER NOT NULL,
    CHECK (kind = 'debit' OR state IN ('begun', 'done'))
) STRICT;
CREATE INDEX leg_unfinished ON leg (id) WHERE state IN ('begun', 'voiding');
CREATE UNIQUE INDEX leg_of_request ON leg (account, key, kind);

-- What happened besides: refused bets with the nonce that they would have spent, and the steps in the life of a pair.
CREATE TABLE event (
    id     INTEGER PRIMARY KEY,
    kind   TEXT NOT NULL,
    pair   INTEGER REFERENCES pair,
    nonce  INTEGER,
    bets   TEXT NOT NULL DEFAULT '',
    key    TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    at     INTEGER NOT NULL
) STRICT;
CREATE INDEX event_of_pair ON event (pair);
