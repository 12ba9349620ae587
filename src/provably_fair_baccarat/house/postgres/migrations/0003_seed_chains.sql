-- Seed chains: pairs whose coups are proved one by one (protocol step 8).

ALTER TABLE house.pair
    ADD COLUMN chain_anchor bytea CHECK (length(chain_anchor) = 32),
    ADD COLUMN chain_length bigint CHECK (chain_length BETWEEN 1 AND 1000000),
    ADD COLUMN settled_in_order bigint NOT NULL DEFAULT 0,  -- every coup with a nonce below this one is settled
    -- The link of the last of them: public, and with it, by hashing down, all links before it.
    ADD COLUMN newest_link bytea CHECK (length(newest_link) = 32);

UPDATE house.pair SET settled_in_order = CASE WHEN settled = next_nonce THEN next_nonce ELSE (
    SELECT min(round.nonce) FROM house.round LEFT JOIN house.coup ON coup.round = round.id
    WHERE round.pair = pair.number AND coup.round IS NULL
) END;

ALTER TABLE house.pair
    ADD CHECK ((chain_length IS NULL) = (chain_anchor IS NULL)),
    ADD CHECK ((scheme = 'pfb1-chain') = (chain_anchor IS NOT NULL)),
    ADD CHECK (cap <= chain_length),
    ADD CHECK (settled_in_order BETWEEN 0 AND settled),
    ADD CHECK (state <> 'revealed' OR settled_in_order = next_nonce),
    ADD CHECK ((newest_link IS NULL) = (chain_anchor IS NULL OR settled_in_order = 0));

-- What was published with a commitment never changes.
CREATE TRIGGER chain BEFORE UPDATE ON house.pair FOR EACH ROW
    WHEN ((OLD.chain_anchor, OLD.chain_length) IS DISTINCT FROM (NEW.chain_anchor, NEW.chain_length))
    EXECUTE FUNCTION house.refuse('what a pair was committed with never changes');

-- There is no way back, and a link is told with the coups that it proves, not before and not later.
CREATE TRIGGER settled_in_order BEFORE UPDATE OF settled_in_order ON house.pair FOR EACH ROW
    WHEN (NEW.settled_in_order < OLD.settled_in_order)
    EXECUTE FUNCTION house.refuse('coups are settled in order up to the first that is open');
CREATE TRIGGER newest_link BEFORE UPDATE OF settled_in_order, newest_link ON house.pair FOR EACH ROW
    WHEN (
        (NEW.newest_link IS DISTINCT FROM OLD.newest_link)
        <> (NEW.chain_anchor IS NOT NULL AND NEW.settled_in_order > OLD.settled_in_order)
    )
    EXECUTE FUNCTION house.refuse('a link is told when every coup up to its own is settled');

-- The order of a chain's coups has no gaps.
CREATE FUNCTION house.require_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.settled_in_order - OLD.settled_in_order <> (
        SELECT count(*) FROM house.round JOIN house.coup ON coup.round = round.id
        WHERE round.pair = NEW.number AND round.nonce >= OLD.settled_in_order AND round.nonce < NEW.settled_in_order AND round.place = 0
    ) THEN
        RAISE EXCEPTION 'coups are settled in order up to the first that is open';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER in_order AFTER UPDATE OF settled_in_order ON house.pair FOR EACH ROW
    WHEN (NEW.chain_anchor IS NOT NULL AND NEW.settled_in_order > OLD.settled_in_order)
    EXECUTE FUNCTION house.require_order();

CREATE INDEX pair_to_reveal ON house.pair (number) WHERE state <> 'revealed';
