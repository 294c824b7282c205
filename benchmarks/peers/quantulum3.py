"""quantulum3, without its optional classifier. What it gives is read generously: its units in our spelling, a factor from `x` or `times`."""

REQUIRES = ("quantulum3==0.10.0",)
UNITS = {
    "percentage": "percent", "percentage point": "percentage_point", "second": "s", "millisecond": "ms", "minute": "min", "hour": "h", "day": "day",
    "gigabyte": "GB", "gibibyte": "GiB", "megabyte": "MB", "terabyte": "TB", "kilobyte": "KB", "gigabyte per second": "GB/s",
    "terabyte per second": "TB/s", "dollar": "USD", "bit": "bit", "byte": "B", "watt": "W", "dimensionless": "count",
}  # fmt: skip


def load():
    from quantulum3 import parser

    return parser.parse


def told(text, found):
    return [
        {"line": text.count("\n", 0, q.span[0]) + 1, "text": q.surface, "start": q.span[0], "form": "value", "value": q.value,
         "unit": "x" if q.surface.rstrip().endswith(("x", "×", "times", "倍")) else UNITS.get(q.unit.name, q.unit.name)}
        for q in found
    ]  # fmt: skip
