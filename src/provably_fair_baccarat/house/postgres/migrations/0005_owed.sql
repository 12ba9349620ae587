-- What of a balance is on its way to the operator's own wallet: nothing to bet with, or to pay out here.
ALTER TABLE house.account ADD COLUMN owed house.amount NOT NULL DEFAULT 0;

UPDATE house.account SET owed = (
    SELECT sum(leg.amount) FROM house.leg WHERE leg.account = account.number AND leg.kind = 'credit' AND leg.state = 'begun'
)
WHERE number IN (SELECT account FROM house.leg WHERE kind = 'credit' AND state = 'begun');
