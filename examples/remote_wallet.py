"""A wallet on the other side of a network: an adapter that turns HTTP answers into the house's words, and a line that loses some of them.

The bank below speaks something like HTTP and stands for the operator's own system; put a real client in place of `BadLine`. What matters is
which answers are definite: 200 is done, 402 is no, 409 is a mistake of ours, and everything else is no answer, after which the house asks
again with the same id.

    python examples/remote_wallet.py
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol

from provably_fair_baccarat import ClientSeed
from provably_fair_baccarat.errors import WalletConflictError, WalletRefusedError, WalletTimeoutError
from provably_fair_baccarat.house import House, SqliteStore, Vault, add_key

if TYPE_CHECKING:
    from provably_fair_baccarat.house import WalletTransaction


class Line(Protocol):
    """What an HTTP client does for the adapter: a status for a request. Raises OSError where none comes."""

    def put(self, path: str, body: bytes) -> int:
        """Send a body to a path."""
        ...


@dataclass
class RemoteWallet:
    """The adapter: the house calls its three methods, and each returns only when the bank has definitely done it."""

    line: Line

    def debit(self, transaction: WalletTransaction) -> None:
        """Take a stake."""
        self._ask("debit", transaction)

    def credit(self, transaction: WalletTransaction) -> None:
        """Give a return."""
        self._ask("credit", transaction)

    def roll_back(self, transaction: WalletTransaction) -> None:
        """Undo a debit, or keep it from coming."""
        self._ask("rollback", transaction)

    def _ask(self, what: str, transaction: WalletTransaction) -> None:
        body = {**asdict(transaction), "amount": str(transaction.amount)}  # text: a JSON number is not exact beyond 2^53 everywhere
        try:
            status = self.line.put(f"/{what}/{transaction.id}", json.dumps(body, sort_keys=True).encode())
        except OSError as error:
            raise WalletTimeoutError(what, "a definite answer", f"none ({error})") from None
        if status == 402:
            raise WalletRefusedError(what, "enough money", "a refusal")
        if status == 409:
            raise WalletConflictError(what, "the same body as before", "another one")
        if status != 200:
            raise WalletTimeoutError(what, "a definite answer", f"status {status}")


@dataclass
class Bank:
    """The operator's own system: the same id and body move the money once and get the same answer, forever."""

    balances: dict[str, int]
    answers: dict[str, tuple[bytes, int]] = field(default_factory=dict[str, tuple[bytes, int]])
    rolled_back: set[str] = field(default_factory=set[str])

    def put(self, path: str, body: bytes) -> int:
        """Answer a request."""
        known, status = self.answers.get(path, (body, 0))
        if body != known:
            return 409
        _, what, name = path.split("/")
        if what == "debit" and name in self.rolled_back:
            return 402  # for good: also where the roll-back arrived before the debit
        if not status:
            status = self._move(what, name, json.loads(body))
            self.answers[path] = body, status
        return status

    def _move(self, what: str, name: str, body: dict[str, str]) -> int:
        bettor, amount = body["bettor"], int(body["amount"])
        if what == "rollback":
            _, was = self.answers.get(f"/debit/{name}", (b"", 0))
            self.balances[bettor] += amount * (was == 200)
            self.rolled_back.add(name)
        elif what == "credit":
            self.balances[bettor] += amount
        elif self.balances[bettor] < amount:
            return 402
        else:
            self.balances[bettor] -= amount
        return 200


@dataclass
class BadLine:
    """A network that loses some requests, and the answers to others; the bank behind it knows nothing of that."""

    bank: Bank
    chance: Random
    lost: int = 0

    def put(self, path: str, body: bytes) -> int:
        """Carry a request to the bank, perhaps."""
        fate = self.chance.randrange(10)
        if fate < 2:
            self.lost += 1
            raise TimeoutError("the request got lost")
        status = self.bank.put(path, body)
        if fate < 4:
            self.lost += 1
            raise TimeoutError("the answer got lost")
        return status if fate < 9 else 503


def main() -> None:
    """Play forty rounds on a bad line, and see that nothing was paid twice or forgotten."""
    bank = Bank({"ada": 2_000})
    line = BadLine(bank, Random(8))  # noqa: S311 (it decides what gets lost, and no card)
    with TemporaryDirectory() as folder:
        add_key(Path(folder) / "house.keys", "first")
        vault = Vault.from_key_file(Path(folder) / "house.keys")
        store = SqliteStore(Path(folder) / "house.db")
        with House(store, vault, wallet=RemoteWallet(line), currency=("USD", 2), pause=lambda _: None) as house:
            pair = house.choose_client_seed(house.commit("ada"), ClientSeed("lucky 8s"))
            played = refused = unanswered = net = 0
            for number in range(40):
                try:
                    net += house.play(pair, {"banker": 200}, key=f"bet {number}").totals.net
                    played += 1
                except WalletTimeoutError:
                    unanswered += 1  # no nonce was spent, and what may have been debited is rolled back
                except WalletRefusedError:
                    refused += 1
            for _ in range(20):
                house.recover()  # asks again for credits and roll-backs that got lost; a real house does so every minute
            assert bank.balances["ada"] == 2_000 + net, "the bank and the records agree to the cent"
            print(f"{played} bets were played, {refused} refused for want of money, {unanswered} given up; {line.lost} messages got lost.")
            print(f"Ada's balance is {bank.balances['ada']} cents, which is 2000 {net:+}.")


if __name__ == "__main__":
    main()
