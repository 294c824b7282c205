"""FAMILY `--format sarif` is sarif.py: `render(runs, lang) -> str`. The format never changes the exit code."""
