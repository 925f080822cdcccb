"""What programs beside Benchmarks/run found, each in a file of its own."""
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parents[2] / "results"
#: In the order of the table.
NAMES = ["preview", "decide", "no-op", "memory", "large", "watch", "scale"]


def limits(others):
    """The limits of each program that was run but by `others`, tasks of a record, with its name."""
    for name in (name for name in NAMES if name not in others):
        place = HERE / f"{name}.json"
        if place.exists():
            for limit in json.loads(place.read_text()).get("limits", []):
                yield name, {"at_least": False, "unit": "", **limit}


def soaked():
    """What `make soak` went through, as rows of a table: the part, when, how long, its figures."""
    place = HERE / "soak.json"
    if not place.exists():
        return []
    return [
        (part, entry["date"], entry["seconds"], text(entry["figures"]))
        for part, entry in sorted(json.loads(place.read_text()).items())]


def text(figures):
    """Figures in words, whatever they are."""
    if isinstance(figures, dict):
        return ", ".join(
            f"{name.replace('_', ' ')}: {text(value)}" if isinstance(value, (dict, list))
            else f"{value} {name.replace('_', ' ')}" for name, value in figures.items())
    if isinstance(figures, list):
        return "; ".join(map(text, figures))
    return str(figures)
