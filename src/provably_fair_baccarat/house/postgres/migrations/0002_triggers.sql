-- What the tables refuse whatever program writes to them.

CREATE FUNCTION house.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

-- What is written once is never changed and never deleted.

CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.pay_table
    EXECUTE FUNCTION house.refuse('pay_table is append-only');
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.transfer
    EXECUTE FUNCTION house.refuse('transfer is append-only');
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.cash
    EXECUTE FUNCTION house.refuse('cash is append-only');
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.round
    EXECUTE FUNCTION house.refuse('round is append-only');
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.coup
    EXECUTE FUNCTION house.refuse('coup is append-only');
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON house.event
    EXECUTE FUNCTION house.refuse('event is append-only');
CREATE TRIGGER no_deletion BEFORE DELETE OR TRUNCATE ON house.account
    EXECUTE FUNCTION house.refuse('account is never deleted from');
CREATE TRIGGER no_deletion BEFORE DELETE OR TRUNCATE ON house.pair
    EXECUTE FUNCTION house.refuse('pair is never deleted from');
CREATE TRIGGER no_deletion BEFORE DELETE OR TRUNCATE ON house.leg
    EXECUTE FUNCTION house.refuse('leg is never deleted from');

-- An account stays whose it is.
CREATE TRIGGER identity BEFORE UPDATE ON house.account FOR EACH ROW
    WHEN ((OLD.number, OLD.kind, OLD.bettor, OLD.currency) IS DISTINCT FROM (NEW.number, NEW.kind, NEW.bettor, NEW.currency))
    EXECUTE FUNCTION house.refuse('an account stays whose it is');

-- What was published with a commitment, and whose it is, never changes.
CREATE TRIGGER identity BEFORE UPDATE ON house.pair FOR EACH ROW
    WHEN (
        (OLD.number, OLD.id, OLD.account, OLD.scheme, OLD.decks, OLD.commitment, OLD.seed_mark, OLD.pay_table, OLD.cap, OLD.is_remote,
            OLD.committed_at)
        IS DISTINCT FROM
        (NEW.number, NEW.id, NEW.account, NEW.scheme, NEW.decks, NEW.commitment, NEW.seed_mark, NEW.pay_table, NEW.cap, NEW.is_remote,
            NEW.committed_at)
    )
    EXECUTE FUNCTION house.refuse('what a pair was committed with never changes');

-- States go one way.
CREATE TRIGGER state BEFORE UPDATE OF state ON house.pair FOR EACH ROW
    WHEN (NOT (
        (OLD.state = 'committed' AND NEW.state IN ('active', 'closing'))
        OR (OLD.state = 'active' AND NEW.state = 'closing')
        OR (OLD.state = 'closing' AND NEW.state = 'revealed')
    ))
    EXECUTE FUNCTION house.refuse('states of a pair go one way');

-- Client seed, revealed server seed and successor are set once; the times with them.
CREATE TRIGGER client_seed BEFORE UPDATE OF client_seed, made_by, chosen_at ON house.pair FOR EACH ROW
    WHEN (OLD.client_seed IS NOT NULL)
    EXECUTE FUNCTION house.refuse('a client seed is chosen once');
CREATE TRIGGER server_seed BEFORE UPDATE OF server_seed, revealed_at, successor ON house.pair FOR EACH ROW
    WHEN (OLD.server_seed IS NOT NULL)
    EXECUTE FUNCTION house.refuse('a server seed is revealed once');

-- Nonces are spent upwards and only while the pair is active, and coups are settled before the reveal.
CREATE TRIGGER next_nonce BEFORE UPDATE OF next_nonce ON house.pair FOR EACH ROW
    WHEN (OLD.state <> 'active' OR NEW.next_nonce <= OLD.next_nonce)
    EXECUTE FUNCTION house.refuse('a nonce is spent once, in order, by an active pair');
CREATE TRIGGER settled BEFORE UPDATE OF settled ON house.pair FOR EACH ROW
    WHEN (OLD.state NOT IN ('active', 'closing') OR NEW.settled < OLD.settled)
    EXECUTE FUNCTION house.refuse('coups are settled one by one, before the reveal');

-- A statement that spends nonces writes a round for each of them, and none is written for another nonce.
CREATE FUNCTION house.require_rounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.next_nonce - OLD.next_nonce <> (
        SELECT count(*) FROM house.round
        WHERE pair = NEW.number AND nonce >= OLD.next_nonce AND nonce < NEW.next_nonce AND place = 0
    ) THEN
        RAISE EXCEPTION 'every nonce that is spent has its round';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER rounds AFTER UPDATE OF next_nonce ON house.pair FOR EACH ROW
    EXECUTE FUNCTION house.require_rounds();

CREATE FUNCTION house.require_nonces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added JOIN house.pair ON pair.number = added.pair
        WHERE added.nonce >= pair.next_nonce OR added.account <> pair.account
    ) THEN
        RAISE EXCEPTION 'a round has a nonce that was spent for it';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER nonces AFTER INSERT ON house.round REFERENCING NEW TABLE AS added
    EXECUTE FUNCTION house.require_nonces();

-- A transfer is between accounts that there are, in one currency, a bettor's and one that isn't.
CREATE FUNCTION house.require_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN house.account AS payer ON payer.number = added.payer
        LEFT JOIN house.account AS payee ON payee.number = added.payee
        WHERE (payer.currency = payee.currency AND CASE added.kind
            WHEN 'stake' THEN payer.kind = 'bettor' AND payee.kind = 'house'
            WHEN 'return' THEN payer.kind = 'house' AND payee.kind = 'bettor'
            WHEN 'deposit' THEN payer.kind = 'outside' AND payee.kind = 'bettor'
            WHEN 'withdrawal' THEN payer.kind = 'bettor' AND payee.kind = 'outside'
        END) IS NOT TRUE
    ) THEN
        RAISE EXCEPTION 'a transfer is between a bettor and the house or the outside world';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER accounts AFTER INSERT ON house.transfer REFERENCING NEW TABLE AS added
    EXECUTE FUNCTION house.require_accounts();

-- A transaction of a wallet stays what it is, and its states go one way.
CREATE TRIGGER identity BEFORE UPDATE ON house.leg FOR EACH ROW
    WHEN (
        (OLD.id, OLD.kind, OLD.pair, OLD.account, OLD.key, OLD.bets, OLD.amount, OLD.at)
        IS DISTINCT FROM
        (NEW.id, NEW.kind, NEW.pair, NEW.account, NEW.key, NEW.bets, NEW.amount, NEW.at)
    )
    EXECUTE FUNCTION house.refuse('a transaction of a wallet stays what it is');
CREATE TRIGGER state BEFORE UPDATE OF state ON house.leg FOR EACH ROW
    WHEN (NOT (
        (OLD.state = 'begun' AND NEW.state IN ('done', 'voiding'))
        OR (OLD.state = 'voiding' AND NEW.state = 'void')
    ))
    EXECUTE FUNCTION house.refuse('states of a transaction of a wallet go one way');
