-- Seed chains: pairs whose coups are proved one by one (protocol step 8).

ALTER TABLE pair ADD COLUMN chain_anchor BLOB CHECK (length(chain_anchor) = 32);
ALTER TABLE pair ADD COLUMN chain_length INTEGER CHECK (
    (chain_length IS NULL) = (chain_anchor IS NULL) AND chain_length BETWEEN 1 AND 1000000 AND cap <= chain_length
);

-- Every coup with a nonce below this one is settled.
ALTER TABLE pair ADD COLUMN settled_in_order INTEGER NOT NULL DEFAULT 0 CHECK (settled_in_order BETWEEN 0 AND settled);

-- The link of the last of them: public, and with it, by hashing down, all links before it.
ALTER TABLE pair ADD COLUMN newest_link BLOB CHECK (
    length(newest_link) = 32 AND (newest_link IS NULL) = (chain_anchor IS NULL OR settled_in_order = 0)
);

UPDATE pair SET settled_in_order = coalesce(
    (SELECT min(round.nonce) FROM open_round JOIN round ON round.id = open_round.round WHERE round.pair = pair.number),
    next_nonce
);

-- What was published with a commitment never changes.
CREATE TRIGGER pair_chain BEFORE UPDATE OF chain_anchor, chain_length ON pair
BEGIN
    SELECT RAISE(ABORT, 'what a pair was committed with never changes');
END;

-- A chain goes with its scheme.
CREATE TRIGGER pair_scheme BEFORE INSERT ON pair
WHEN (NEW.scheme = 'pfb1-chain') <> (NEW.chain_anchor IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'a pair has a chain if its scheme deals from one');
END;

-- The order has no gaps, and there is no way back.
CREATE TRIGGER pair_settled_in_order BEFORE UPDATE OF settled_in_order ON pair
WHEN NEW.settled_in_order < OLD.settled_in_order OR EXISTS (
    SELECT 1 FROM open_round JOIN round ON round.id = open_round.round
    WHERE open_round.account = NEW.account AND round.pair = NEW.number AND round.nonce < NEW.settled_in_order
)
BEGIN
    SELECT RAISE(ABORT, 'coups are settled in order up to the first that is open');
END;

-- A link is told with the coups that it proves, not before and not later.
CREATE TRIGGER pair_newest_link BEFORE UPDATE OF settled_in_order, newest_link ON pair
WHEN (NEW.newest_link IS NOT OLD.newest_link) <> (NEW.chain_anchor IS NOT NULL AND NEW.settled_in_order > OLD.settled_in_order)
BEGIN
    SELECT RAISE(ABORT, 'a link is told when every coup up to its own is settled');
END;

CREATE TRIGGER pair_revealed BEFORE UPDATE OF state ON pair
WHEN NEW.state = 'revealed' AND NEW.settled_in_order <> NEW.next_nonce
BEGIN
    SELECT RAISE(ABORT, 'coups are settled one by one, before the reveal');
END;

CREATE INDEX pair_to_reveal ON pair (number) WHERE state <> 'revealed';
