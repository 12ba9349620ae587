"""Provable fairness: seeds and cards, never bets or the tableau. It cannot favour an outcome that it has no word for."""
