"""verifier: find what is wrong, or cannot be relied on, in the numbers of a briefing."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """The Python API, each part loaded when it is first asked for."""
    if name == "numbers":
        from verifier.extract.numerals import numbers

        return numbers
    if name == "extract":
        return _extract
    if name == "compare":
        from verifier.compare import compare

        return compare
    if name == "run":
        from verifier.pipeline import run

        return run
    raise AttributeError(name)


def _extract(text: str) -> list[object]:
    """The claims of a text, as `verify extract` prints them."""
    from verifier.extract import extract
    from verifier.read import read_text

    return list(extract(read_text(text)))
