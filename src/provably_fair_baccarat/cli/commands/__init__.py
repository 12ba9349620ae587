"""The commands of `pfb`, a module each: parse, call one function, print."""
