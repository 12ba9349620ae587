"""The commands of `pfb keys`, a module for each: the operator's signing keys."""
