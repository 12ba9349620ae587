"""The commands of `pfb db`, a module for each: the tables of a house's database."""
