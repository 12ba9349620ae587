"""The rules of the table: cards and money, never seeds. This half of the package would serve a real table."""
