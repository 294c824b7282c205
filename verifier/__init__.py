"""verifier: find what is wrong, or cannot be relied on, in the numbers of a briefing."""

__version__ = "0.1.0"
