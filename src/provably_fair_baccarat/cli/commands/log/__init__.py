"""The commands of `pfb log`, a module for each: the public log of what an operator signs."""
