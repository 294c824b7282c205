"""onus, its deterministic part alone (`--no-llm`): the quantities of the claims that its scan finds."""

REQUIRES = ("onus==0.1.0",)
UNITS = {"currency": "USD", "percent": "percent", "fraction": "percent", "multiple": "x", "count": "count", "amount": "count"}


def load():
    from pathlib import Path

    from onus.claims import scan_claims
    from onus.documents import Block, Document

    def read(text):
        lines = ((number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1))
        return scan_claims(Document(Path("text.md"), "md", [Block(number, f"line {number}", line) for number, line in lines if line]))

    return read


def told(text, found):
    return [
        {
            "line": claim.block.id,
            "text": q.raw,
            "form": "value",
            "value": q.value,
            "unit": q.unit if q.kind == "duration" else UNITS.get(q.kind, q.kind),
        }
        for claim in found
        for q in claim.quantities
    ]
