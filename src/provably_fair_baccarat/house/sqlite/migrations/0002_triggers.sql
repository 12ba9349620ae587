-- What the tables refuse whatever program writes to them.

-- What is written once is never changed and never deleted.

CREATE TRIGGER pay_table_no_update BEFORE UPDATE ON pay_table
BEGIN
    SELECT RAISE(ABORT, 'pay_table is append-only');
END;
CREATE TRIGGER pay_table_no_delete BEFORE DELETE ON pay_table
BEGIN
    SELECT RAISE(ABORT, 'pay_table is append-only');
END;
CREATE TRIGGER transfer_no_update BEFORE UPDATE ON transfer
BEGIN
    SELECT RAISE(ABORT, 'transfer is append-only');
END;
CREATE TRIGGER transfer_no_delete BEFORE DELETE ON transfer
BEGIN
    SELECT RAISE(ABORT, 'transfer is append-only');
END;
CREATE TRIGGER cash_no_update BEFORE UPDATE ON cash
BEGIN
    SELECT RAISE(ABORT, 'cash is append-only');
END;
CREATE TRIGGER cash_no_delete BEFORE DELETE ON cash
BEGIN
    SELECT RAISE(ABORT, 'cash is append-only');
END;
CREATE TRIGGER round_no_update BEFORE UPDATE ON round
BEGIN
    SELECT RAISE(ABORT, 'round is append-only');
END;
CREATE TRIGGER round_no_delete BEFORE DELETE ON round
BEGIN
    SELECT RAISE(ABORT, 'round is append-only');
END;
CREATE TRIGGER coup_no_update BEFORE UPDATE ON coup
BEGIN
    SELECT RAISE(ABORT, 'coup is append-only');
END;
CREATE TRIGGER coup_no_delete BEFORE DELETE ON coup
BEGIN
    SELECT RAISE(ABORT, 'coup is append-only');
END;
CREATE TRIGGER event_no_update BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'event is append-only');
END;
CREATE TRIGGER event_no_delete BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'event is append-only');
END;
CREATE TRIGGER account_no_delete BEFORE DELETE ON account
BEGIN
    SELECT RAISE(ABORT, 'account is never deleted from');
END;
CREATE TRIGGER pair_no_delete BEFORE DELETE ON pair
BEGIN
    SELECT RAISE(ABORT, 'pair is never deleted from');
END;
CREATE TRIGGER leg_no_delete BEFORE DELETE ON leg
BEGIN
    SELECT RAISE(ABORT, 'leg is never deleted from');
END;

-- An account stays whose it is.
CREATE TRIGGER account_identity BEFORE UPDATE OF number, kind, bettor, currency ON account
BEGIN
    SELECT RAISE(ABORT, 'an account stays whose it is');
END;

-- What was published with a commitment, and whose it is, never changes.
CREATE TRIGGER pair_identity BEFORE UPDATE OF number, id, account, scheme, decks, commitment, seed_mark, pay_table, cap, is_remote, committed_at
ON pair
BEGIN
    SELECT RAISE(ABORT, 'what a pair was committed with never changes');
END;

-- States go one way.
CREATE TRIGGER pair_state BEFORE UPDATE OF state ON pair
WHEN NOT (
    (OLD.state = 'committed' AND NEW.state IN ('active', 'closing'))
    OR (OLD.state = 'active' AND NEW.state = 'closing')
    OR (OLD.state = 'closing' AND NEW.state = 'revealed')
)
BEGIN
    SELECT RAISE(ABORT, 'states of a pair go one way');
END;

-- Client seed, revealed server seed and successor are set once; the times with them.
CREATE TRIGGER pair_client_seed BEFORE UPDATE OF client_seed, made_by, chosen_at ON pair
WHEN OLD.client_seed IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a client seed is chosen once');
END;

CREATE TRIGGER pair_server_seed BEFORE UPDATE OF server_seed, revealed_at, successor ON pair
WHEN OLD.server_seed IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a server seed is revealed once');
END;

-- Nonces are spent one by one, and only while the pair is active; coups are settled one by one.
CREATE TRIGGER pair_next_nonce BEFORE UPDATE OF next_nonce ON pair
WHEN OLD.state <> 'active' OR NEW.next_nonce <> OLD.next_nonce + 1
BEGIN
    SELECT RAISE(ABORT, 'a nonce is spent once, in order, by an active pair');
END;

CREATE TRIGGER pair_settled BEFORE UPDATE OF settled ON pair
WHEN OLD.state NOT IN ('active', 'closing') OR NEW.settled <> OLD.settled + 1
BEGIN
    SELECT RAISE(ABORT, 'coups are settled one by one, before the reveal');
END;

-- A round has the nonce that was spent last.
CREATE TRIGGER round_nonce BEFORE INSERT ON round
WHEN NEW.nonce + 1 <> (SELECT next_nonce FROM pair WHERE number = NEW.pair)
BEGIN
    SELECT RAISE(ABORT, 'a round has the nonce that was spent for it');
END;

-- A round stays open until it is dealt.
CREATE TRIGGER open_round_dealt BEFORE DELETE ON open_round
WHEN NOT EXISTS (SELECT 1 FROM coup WHERE coup.round = OLD.round)
BEGIN
    SELECT RAISE(ABORT, 'a round stays open until it is dealt');
END;

CREATE TRIGGER open_round_no_update BEFORE UPDATE ON open_round
BEGIN
    SELECT RAISE(ABORT, 'a round stays open until it is dealt');
END;

-- A transaction of a wallet stays what it is, and its states go one way.
CREATE TRIGGER leg_identity BEFORE UPDATE OF id, kind, pair, account, key, bets, amount, at ON leg
BEGIN
    SELECT RAISE(ABORT, 'a transaction of a wallet stays what it is');
END;

CREATE TRIGGER leg_state BEFORE UPDATE OF state ON leg
WHEN NOT (
    (OLD.state = 'begun' AND NEW.state IN ('done', 'voiding'))
    OR (OLD.state = 'voiding' AND NEW.state = 'void')
)
BEGIN
    SELECT RAISE(ABORT, 'states of a transaction of a wallet go one way');
END;
