"""The commands of `pfb house`, a module for each: an operator's house over its database."""
