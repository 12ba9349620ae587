-- Whether coups are settled in order is looked up where the order goes on, and nowhere else: however many rounds a pair has had, the next
-- one takes as long as the first.

-- The order has no gaps, and there is no way back. What lies before it was looked at when it got there, and is not opened again.
DROP TRIGGER pair_settled_in_order;
CREATE TRIGGER pair_settled_in_order BEFORE UPDATE OF settled_in_order ON pair
WHEN NEW.settled_in_order < OLD.settled_in_order OR EXISTS (
    SELECT 1 FROM round CROSS JOIN open_round ON open_round.round = round.id
    WHERE round.pair = NEW.number AND round.nonce >= OLD.settled_in_order AND round.nonce < NEW.settled_in_order
)
BEGIN
    SELECT RAISE(ABORT, 'coups are settled in order up to the first that is open');
END;

CREATE TRIGGER open_round_new BEFORE INSERT ON open_round
WHEN NOT EXISTS (
    SELECT 1 FROM round JOIN pair ON pair.number = round.pair WHERE round.id = NEW.round AND round.nonce >= pair.settled_in_order
)
BEGIN
    SELECT RAISE(ABORT, 'a round that is settled in order is not opened again');
END;
