-- The latest time that anything of a pair was said to have happened at. What is told of it next is not told with an earlier one, whatever
-- the clock of the host says that happens to be asked.
ALTER TABLE pair ADD COLUMN latest_at INTEGER NOT NULL DEFAULT 0;

UPDATE pair SET latest_at = max(
    committed_at,
    coalesce(chosen_at, committed_at),
    coalesce(closed_at, committed_at),
    coalesce(revealed_at, committed_at),
    coalesce((SELECT max(accepted_at) FROM round WHERE round.pair = pair.number), committed_at),
    coalesce((SELECT max(settled_at) FROM round JOIN coup ON coup.round = round.id WHERE round.pair = pair.number), committed_at)
);

CREATE TRIGGER pair_latest_at BEFORE UPDATE OF latest_at ON pair
WHEN NEW.latest_at < OLD.latest_at
BEGIN
    SELECT RAISE(ABORT, 'the time of a pair never goes back');
END;
