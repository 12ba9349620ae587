"""The command line `pfb`: parse, call one function, print."""
