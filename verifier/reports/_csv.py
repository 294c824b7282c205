"""The tables of a report for spreadsheets: one file a table, and no cell can be taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from verifier.reports._tables import Rows


def render(tables: Mapping[str, Rows]) -> dict[str, str]:
    """{table: text}; lists are joined with "; ", a table without rows is left out."""
    return {name: _sheet(rows) for name, rows in tables.items() if rows}


def _sheet(rows: Rows) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    heads = list(dict.fromkeys(head for row in rows for head in row))
    writer.writerow(heads)
    writer.writerows([_cell(row.get(head)) for head in heads] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    text = "; ".join(map(str, value)) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
