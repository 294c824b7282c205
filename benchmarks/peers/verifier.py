"""This program, as its Python API has it."""

REQUIRES = ()


def load():
    from verifier import extract

    return extract


def told(text, found):
    return [claim.model_dump(mode="json", by_alias=True) for claim in found]
