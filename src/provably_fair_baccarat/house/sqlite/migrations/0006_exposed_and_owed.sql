-- What rounds that are accepted and not dealt yet may still return is kept in their account, and not added up for each bet: however many
-- there are, the next bet takes as long as the first.
ALTER TABLE account ADD COLUMN exposed TEXT NOT NULL DEFAULT '0' CHECK (
    exposed NOT GLOB '*[^0-9]*' AND exposed NOT GLOB '0?*' AND length(exposed) BETWEEN 1 AND 38
);

-- And what of the balance is on its way to the operator's own wallet: nothing to bet with, or to pay out here.
ALTER TABLE account ADD COLUMN owed TEXT NOT NULL DEFAULT '0' CHECK (
    owed NOT GLOB '*[^0-9]*' AND owed NOT GLOB '0?*' AND length(owed) BETWEEN 1 AND 38
);

-- amount_sum adds amounts, which are text, exactly; the store gives it to its connections.
UPDATE account SET exposed = (
    SELECT amount_sum(round.exposure) FROM open_round JOIN round ON round.id = open_round.round WHERE open_round.account = account.number
)
WHERE number IN (SELECT account FROM open_round);

UPDATE account SET owed = (
    SELECT amount_sum(leg.amount) FROM leg WHERE leg.account = account.number AND leg.kind = 'credit' AND leg.state = 'begun'
)
WHERE number IN (SELECT account FROM leg WHERE kind = 'credit' AND state = 'begun');

DROP INDEX open_round_of_account;
