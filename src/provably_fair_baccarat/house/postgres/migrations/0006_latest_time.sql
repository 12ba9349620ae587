-- The latest time that anything of a pair was said to have happened at. What is told of it next is not told with an earlier one, whatever
-- the clock of the host says that happens to be asked.
ALTER TABLE house.pair ADD COLUMN latest_at timestamptz;

UPDATE house.pair SET latest_at = greatest(
    committed_at, chosen_at, closed_at, revealed_at,
    (SELECT max(accepted_at) FROM house.round WHERE round.pair = pair.number),
    (SELECT max(settled_at) FROM house.round JOIN house.coup ON coup.round = round.id WHERE round.pair = pair.number)
);

ALTER TABLE house.pair ALTER COLUMN latest_at SET NOT NULL;

CREATE TRIGGER latest_at BEFORE UPDATE OF latest_at ON house.pair FOR EACH ROW
    WHEN (NEW.latest_at < OLD.latest_at)
    EXECUTE FUNCTION house.refuse('the time of a pair never goes back');
