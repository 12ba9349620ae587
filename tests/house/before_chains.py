"""What a database could hold before there were seed chains: a pair with two open rounds among four, and a revealed one with seven.

Of two credits of 30 and of 7 the wallet has the second.
"""

from __future__ import annotations


def _pair(number, state, counters, seed):
    columns = "number, id, account, scheme, decks, commitment, seed_mark, pay_table, cap, is_remote, state, sealed, key_id, server_seed"
    digest = f"x'{number:064x}'"
    return (
        f"INSERT INTO pair ({columns}, client_seed, made_by, next_nonce, settled, committed_at) VALUES ({number}, '{number:032}', 3, 'pfb1',"
        f" 8, {digest}, {digest}, 'digest', 10, FALSE, '{state}', x'00', 'k1', {seed}, x'61', 'bettor', {counters}, {{now}})"
    )


def _statements(now):
    yield "INSERT INTO account (number, kind, bettor, currency, balance) VALUES (1, 'house', '', '', NULL)"
    yield "INSERT INTO account (number, kind, bettor, currency, balance) VALUES (3, 'bettor', 'ann', '', '100')"
    yield "INSERT INTO pay_table (digest, form) VALUES ('digest', '{}')"
    yield _pair(1, "active", "4, 2", "NULL").format(now=now)
    yield _pair(2, "revealed", "7, 7", f"x'{7:064x}'").format(now=now)
    for nonce in range(4):
        number = nonce + 1
        yield f"INSERT INTO transfer (id, kind, payer, payee, amount, balance) VALUES ({number}, 'stake', 3, 1, '5', '95')"
        yield (
            "INSERT INTO round (id, pair, nonce, account, key, bets, exposure, transfer, accepted_at) "
            f"VALUES ({number}, 1, {nonce}, 3, 'key {nonce}', 'player:5', '10', {number}, {now})"
        )
        if nonce in (0, 2):
            yield f"INSERT INTO coup (round, cut, cards, returned, settled_at) VALUES ({number}, 0, 'AsKsQsJsTs9s', '0', {now})"
    for state, amount in (("begun", 30), ("done", 7)):
        yield (
            "INSERT INTO leg (id, kind, pair, account, key, bets, amount, state, at) "
            f"VALUES ('{state}', 'credit', 2, 3, '{state}', 'player:5', '{amount}', '{state}', {now})"
        )


def before_chains(now):
    """The statements, with the engine's own spelling of a moment."""
    return list(_statements(now))
