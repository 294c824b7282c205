"""FAMILY `verify gate` is gate.py: `arguments(parser)`, `handle(options) -> (ExitCode, sentence)`, `EXAMPLE`."""
