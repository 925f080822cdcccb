"""Holds the JSON Schema of recipes against an independent validator: check.py PHBATCH.

The shipped recipes and that of `phbatch init` are valid for both; each of WRONG is refused by both;
what a schema cannot know, UNKNOWABLE, is refused by phbatch alone. Each of PARAMETERS has a
parameter in place of a value and is valid for both. Recipes that extend another one are EXTENDING.
"""

import copy
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import jsonschema

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

GOOD = {
    "identifier": "org.example.test",
    "version": "1.0.0",
    "variant": "test",
    "parameters": {"edge": {"default": 1600, "min": 16}, "size": {"default": 0.5}},
    "select": {"include": ["**/*.jpg"], "where": {"width": ">=1000"}},
    "filters": [
        {"filter": "exposure", "stops": 0.5},
        {"filter": "crop", "left": 0.1, "width": "50%"},
        {"filter": "watermark", "image": "mark.png"},
        {"filter": "sepia", "blend": "soft-light", "mask": {"radial": {"radius": "${size}"}}},
        {
            "filter": "blur",
            "radius": 3,
            "mask": {
                "comment": "the sky",
                "subtract": [
                    {"linear": {"from": [0.5, 0.6], "to": [0.5, 0.2]}, "density": 0.8},
                    {
                        "add": [
                            {"image": {"file": "mark.png", "feather": 0.01}, "invert": True},
                            {"polygon": {"points": [[0, 0], [1, 0], [0.5, 1]], "feather": 0.1}},
                        ]
                    },
                    {"luminance": {"max": 0.3}},
                    {"colour": {"colour": "#3060c0"}},
                ],
            },
        },
    ],
    "outputs": [
        {"name": "a", "format": "jpeg", "filters": [{"filter": "resize", "longEdge": "${edge}"}]},
        {"name": "b", "format": "png", "bitDepth": 8},
        {"name": "set", "kind": "webSet", "widths": [480, 960], "sizes": "50vw", "base": "/img/",
         "formats": [{"format": "webp", "quality": 75}, "jpeg"], "manifest": "site/photos.json"},
        {"name": "c", "format": "webp", "maxBytes": 200000, "minQuality": 50, "minSaving": 0.05,
         "keepIfSmaller": True, "minWidth": 100},
    ],
}

MISSING = "(missing)"


def nested(depth):
    """Masks in one another."""
    part = {"luminance": {}}
    for _ in range(depth - 1):
        part = {"intersect": [part, {"luminance": {}}]}
    return part


# Where, and what is put there (MISSING takes it away).
WRONG = [
    ("identifier", MISSING),
    ("identifier", "gallery"),
    ("identifier", 7),
    ("version", MISSING),
    ("version", "1.0"),
    ("version", "01.0.0"),
    ("version", "1.0.0-a..b"),
    ("version", 1),
    ("outputs", MISSING),
    ("outputs", []),
    ("outputs", {}),
    ("titel", "x"),
    ("title", 5),
    ("comment", ["x"]),
    ("$schema", 1),
    ("variant", "a b"),
    ("variant", "-a"),
    ("from", "previous"),
    ("rendering", "fast"),
    ("handles", "org.example.test@^1.0.0"),
    ("handles", ["org.example.test"]),
    ("handles", ["org." + "a" * 197 + "@1.0.0"]),
    ("parameters", []),
    ("parameters.edge", 1600),
    ("parameters.edge.default", MISSING),
    ("parameters.edge.step", 2),
    ("parameters.edge.choices", []),
    ("parameters.a b", {"default": 1}),
    ("parameters.edge.min", "${size}"),
    ("variant", "${a b}"),
    ("select", "*.jpg"),
    ("select.includes", ["*.jpg"]),
    ("select.include", "*.jpg"),
    ("select.include", [""]),
    ("select.where", []),
    ("select.where.iso", "fast"),
    ("select.where.weather", "fine"),
    ("select.where.width", "wide"),
    ("select.where.width", "=>100"),
    ("select.where.date", ">=31.1.2024"),
    ("select.where.date", "2008-13"),
    ("select.where.date", "20 08"),
    ("select.where.date", ">=2008-1 0"),
    ("select.where.width", ">=6 40"),
    ("select.where.width", ">=- 1"),
    ("select.where.width", "1 e 3"),
    ("select.where.width", " >=1"),
    ("select.where.rating", "+1"),
    ("select.where.camera", []),
    ("select.where.format", 3),
    ("filters", {}),
    ("filters.0", "exposure"),
    ("filters.0.filter", MISSING),
    ("filters.0.filter", "exposur"),
    ("filters.0.stop", 1),
    ("filters.0.stops", "0.5"),
    ("filters.0.stops", 11),
    ("filters.0.stops", None),
    ("filters.0.id", "a.b"),
    ("filters.0.enabled", 1),
    ("filters.0.opacity", 1.5),
    ("filters.1.opacity", 0.5),
    ("filters.1.left", -1),
    ("filters.1.left", 1.5),
    ("filters.1.width", "50 pt"),
    ("filters.1.width", "5.%"),
    ("filters.1.aspect", "3/2"),
    ("filters.1.aspect", "0:2"),
    ("filters.1.gravity", "middle"),
    ("filters.2.image", MISSING),
    ("filters.2.image", ""),
    ("filters.2", {"filter": "smartCrop"}),
    ("filters.2", {"filter": "text"}),
    ("filters.2", {"filter": "text", "content": ""}),
    ("filters.2", {"filter": "lut"}),
    ("filters.2", {"filter": "external"}),
    ("filters.0.blend", "softLight"),
    ("filters.1.blend", "multiply"),
    ("filters.1.mask", {"radial": {"radius": 1}}),
    ("filters.3.mask", 0.5),
    ("filters.3.mask", None),
    ("filters.3.mask", {}),
    ("filters.3.mask.invert", 1),
    ("filters.3.mask.density", 1.5),
    ("filters.3.mask.opacity", 1),
    ("filters.3.mask.comment", 1),
    ("filters.3.mask.luminance", {}),
    ("filters.3.mask.radial", 0.5),
    ("filters.3.mask.radial.radius", MISSING),
    ("filters.3.mask.radial.radius", 0),
    ("filters.3.mask.radial.height", 11),
    ("filters.3.mask.radial.center", 0.5),
    ("filters.3.mask.radial.center", [0.5]),
    ("filters.3.mask.radial.center", [0.5, 2.5]),
    ("filters.3.mask.radial.angle", 270),
    ("filters.3.mask.radial.feather", -1),
    ("filters.3.mask.radial.centre", [0.5, 0.5]),
    ("filters.4.mask.subtract", []),
    ("filters.4.mask.subtract", [{"luminance": {}}]),
    ("filters.4.mask.subtract", [{"luminance": {}}] * 17),
    ("filters.4.mask.subtract", {"luminance": {}}),
    ("filters.4.mask.subtract.0.linear.to", MISSING),
    ("filters.4.mask.subtract.0.linear.to", "top"),
    ("filters.4.mask.subtract.0.linear.feather", 1),
    ("filters.4.mask.subtract.1.add.0.image.file", MISSING),
    ("filters.4.mask.subtract.1.add.0.image.file", ""),
    ("filters.4.mask.subtract.1.add.1.polygon.points", [[0, 0], [1, 1]]),
    ("filters.4.mask.subtract.1.add.1.polygon.points", [[0, 0], [1, 1], [3, 0]]),
    ("filters.4.mask.subtract.1.add.1.polygon.points", [[0, 0], [1, 0]] * 129),
    ("filters.4.mask.subtract.2.luminance.max", 2),
    ("filters.4.mask.subtract.3.colour.colour", MISSING),
    ("filters.4.mask.subtract.3.colour.colour", "blue"),
    ("filters.4.mask.subtract.3.colour.tolerance", -1),
    ("filters.2", {"filter": "curves", "rgb": [[0, 0]]}),
    ("filters.2", {"filter": "curves", "rgb": [[0, 0], [1, 2.1]]}),
    ("filters.2", {"filter": "background", "colour": "white"}),
    ("filters.2", {"filter": "rotate", "angle": 0.5}),
    ("outputs.0", "jpeg"),
    ("outputs.0.name", MISSING),
    ("outputs.0.name", "../a"),
    ("outputs.0.format", MISSING),
    ("outputs.0.format", "jpg"),
    ("outputs.0.quality", 101),
    ("outputs.0.quality", 80.5),
    ("outputs.0.lossless", True),
    ("outputs.0.path", ""),
    ("outputs.0.profile", "sRGB"),
    ("outputs.0.intent", "best"),
    ("outputs.0.metadata", "some"),
    ("outputs.0.metadata", {"set": {"rating": "hello"}}),
    ("outputs.0.metadata", {"set": {"rating": "9"}}),
    ("outputs.0.current", "yes"),
    ("outputs.0.dpi", 0),
    ("outputs.0.filters", {}),
    ("outputs.0.filters.0.kernel", "lanczos"),
    ("outputs.1.bitDepth", 12),
    ("outputs.1.compression", 10),
    ("outputs.2.kind", "webset"),
    ("outputs.2.kind", MISSING),
    ("outputs.2.name", MISSING),
    ("outputs.2.name", "a b"),
    ("outputs.2.name", "a" * 53),
    ("outputs.2.dpi", 0),
    ("outputs.2.gainMap", "kep"),
    ("outputs.2.widths", MISSING),
    ("outputs.2.widths", []),
    ("outputs.2.widths", [480, 480]),
    ("outputs.2.widths", [480.5]),
    ("outputs.2.widths", [8]),
    ("outputs.2.widths", 480),
    ("outputs.2.widths", list(range(100, 117))),
    ("outputs.2.formats", MISSING),
    ("outputs.2.formats", []),
    ("outputs.2.formats", "jpeg"),
    ("outputs.2.formats", ["tiff"]),
    ("outputs.2.formats", [{"quality": 80}]),
    ("outputs.2.formats", [{"format": "webp", "quality": 0}]),
    ("outputs.2.formats", [{"format": "webp", "compression": 3}]),
    ("outputs.2.formats", [{"format": "webp", "path": "{stem}.webp"}]),
    ("outputs.2.formats", [{"format": "webp", "live": "still"}]),
    ("outputs.2.live", "still"),
    ("outputs.2.format", "jpeg"),
    ("outputs.2.quality", 80),
    ("outputs.2.minWidth", 80),
    ("outputs.2.current", True),
    ("outputs.2.manifest", "photos.txt"),
    ("outputs.2.manifest", "/photos.json"),
    ("outputs.2.placeholder", "blur"),
    ("outputs.2.sizes", 3),
    ("outputs.2.base", "/my photos/"),
    ("outputs.2.base", "/a,b/"),
    ("outputs.3.maxBytes", "200kB"),
    ("outputs.3.maxBytes", 10),
    ("outputs.3.minQuality", 0),
    ("outputs.3.minSaving", 5),
    ("outputs.3.keepIfSmaller", 1),
    ("outputs.3.minWidth", 0),
    ("outputs.3.widths", [480]),
]

UNKNOWABLE = [
    ("filters.2", {"filter": "exposure", "stops": 1}),
    ("filters.2", {"filter": "resize", "longEdge": 100}),
    ("filters.2", {"filter": "curves", "rgb": [[0, 0], [0, 1]]}),
    ("filters.2", {"filter": "levels", "black": 0.5, "white": 0.5}),
    ("filters.2", {"filter": "rotate", "angle": 45}),
    ("filters.2.image", "missing.png"),
    ("filters.1.aspect", "1:1"),
    ("filters.3.mask", {"image": {"file": "missing.png"}}),
    ("filters.3.mask", {"linear": {"from": [0, 0], "to": [0, 0]}}),
    ("filters.3.mask", {"luminance": {"min": 0.6, "max": 0.5}}),
    ("filters.3.mask", {"polygon": {"points": [[0, 0], [1, 1], [1, 0], [0, 1]]}}),
    ("filters.3.mask.radial.radius", "${edge}"),
    ("filters.4.mask.subtract.0", nested(6)),
    ("filters.4.mask.subtract.0", {"add": [{"image": {"file": "mark.png"}}] * 8}),
    ("filters.0.stops", "${stops}"),
    ("filters.0.stops", "${edge}"),
    ("outputs.1.name", "a"),
    ("outputs.0.path", "../{stem}.{ext}"),
    ("outputs.0.path", "/{stem}.{ext}"),
    ("outputs.0.path", "{step}.{ext}"),
    ("outputs.0.path", "{stem}.b.png"),
    ("outputs.0.filters.0.width", 100),
    ("parameters.edge.min", 2000),
    ("parameters.edge.choices", [800, 1200]),
    ("variant", MISSING, "from", "current"),
    ("select.include", ["{a"]),
    ("select.where.date", "2024-02-30"),
    ("select.include", ["/a.jpg"]),
    ("outputs.0.path", ".phbatch/{stem}.jpg"),
    ("extends", "missing.json"),
    ("outputs.2.manifest", "../photos.json"),
    ("outputs.2.manifest", "a.jpg.phbatch.json"),
    ("outputs.2.manifest", ".phbatch/photos.json"),
    ("outputs.2.path", "{stem}.{ext}"),
    ("outputs.2.formats", ["webp", "webp"]),
    ("outputs.2.formats", [{"format": "webp", "gainMap": "keep"}]),
    ("outputs.2.filters", [{"filter": "resize", "width": 10, "id": "set-width"}]),
    ("outputs.2.minQuality", 50),
    ("outputs.0.name", "set-480-webp"),
    ("outputs.3.minQuality", 90),
    ("outputs.3.maxBytes", MISSING),
    ("outputs.3.lossless", True),
]

# Changes of the recipe that extends BASE, and whether both take them.
BASE = {
    "identifier": "org.example.base",
    "version": "1.0.0",
    "filters": [{"filter": "exposure", "stops": 0.5}, {"filter": "crop", "width": 0.5}],
    "outputs": [
        {"name": "o", "format": "jpeg"},
        {"name": "set", "kind": "webSet", "widths": [480], "formats": ["webp"]},
    ],
}
EXTENDING = [
    ({}, True),
    ({"outputs": []}, True),
    ({"filters": []}, True),
    ({"outputs": [{"name": "o", "quality": 70, "dpi": 72, "filters": [{"filter": "hue"}]}]}, True),
    ({"outputs": [{"name": "o", "quality": "source"}]}, True),
    ({"outputs": [{"name": "set", "widths": [50], "sizes": "9vw", "maxBytes": 9000}]}, True),
    ({"filters": [{"id": "exposure", "stops": 1, "opacity": 0.7, "comment": "x"}]}, True),
    ({"filters": [{"id": "exposure", "enabled": False, "mask": {"radial": {"radius": 1}}}]}, True),
    ({"filters": [{"id": "crop", "width": "50%"}]}, True),
    ({"outputs": [{"name": "o", "dpi": "x"}]}, False),
    ({"outputs": [{"name": "o", "foo": 1}]}, False),
    ({"outputs": [{"name": "o", "quality": 101}]}, False),
    ({"outputs": [{"name": "o", "filters": [{"filter": "exposure", "stops": 99}]}]}, False),
    ({"outputs": [{"name": "set", "widths": [5]}]}, False),
    ({"filters": [{"id": "exposure", "opacity": 7}]}, False),
    ({"filters": [{"id": "exposure", "enabled": "no"}]}, False),
    ({"filters": [{"id": "exposure", "blend": "softLight"}]}, False),
    ({"filters": [{"id": "exposure", "mask": {"radial": {}}}]}, False),
    ({"filters": [{"id": "exposure", "stops": "much"}]}, False),
    ({"filters": [{"id": "exposure", "stop": 1}]}, False),
]

# Where, and the value of the parameter that is put there.
PARAMETERS = [
    ("identifier", "org.example.test"),
    ("version", "1.0.0"),
    ("variant", "test"),
    ("from", "original"),
    ("handles", ["org.example.test@^1.0.0"]),
    ("handles", "org.example.test@^1.0.0", "[{}]"),
    ("rendering", "exact"),
    ("highlights", {"rolloff": "hard"}),
    ("inputs", {"dpi": 100}),
    ("inputs", ["svg"], '{"formats": {}}'),
    ("select", {}),
    ("select.include", ["*.jpg"]),
    ("select.include.0", "*.jpg"),
    ("select.where", {}),
    ("select.where.width", [">1", "<9"]),
    ("select.where.width", ">=  1 "),
    ("select.where.date", ">= 2008-10 "),
    ("outputs.2.name", "a" * 52),
    ("filters", [{"filter": "sepia"}]),
    ("filters.0", {"filter": "tint"}),
    ("filters.0.filter", "exposure"),
    ("filters.0.id", "light"),
    ("filters.0.stops", 1),
    ("filters.3.mask", {"luminance": {}}),
    ("filters.3.mask.radial", {"radius": 0.5}),
    ("filters.3.mask.radial.center", 0.5, "[{}, 0.5]"),
    ("filters.4.mask.subtract", [{"luminance": {}}, {"depth": {}}]),
    ("filters.4.mask.subtract.2", {"depth": {}}),
    ("filters.0", 0.1, '{"filter": "curves", "rgb": [[0, {}], [1, 1]]}'),
    ("outputs", [{"name": "a", "format": "jpeg"}]),
    ("outputs.0", {"name": "a", "format": "jpeg"}),
    ("outputs.0.name", "d"),
    ("outputs.0.format", "png"),
    ("outputs.0.highlights", {"rolloff": "hard"}),
    ("outputs.0.metadata", {"preset": "all"}),
    ("outputs.0.metadata", ["gps"], '{"drop": {}}'),
    ("outputs.0.metadata", "gps", '{"drop": [{}]}'),
    ("outputs.2.kind", "webSet"),
    ("outputs.2.widths", [480]),
    ("outputs.2.formats", ["webp"]),
    ("outputs.2.formats.1", "png"),
    ("outputs.2.formats.0.format", "webp"),
    ("outputs.2.formats.0.quality", 70),
    ("outputs.2.manifest", "photos.json"),
]


def parametric(place, value, around="{}"):
    """The places of `changed` for a parameter with a value; `around` is the text around it."""
    return (place, json.loads(around.replace("{}", '"${new}"')), "parameters.new", {"default": value})


def changed(places):
    """The good recipe with values put in the places, given in turn."""
    recipe = copy.deepcopy(GOOD)
    for place, value in zip(places[::2], places[1::2]):
        *parents, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        owner = recipe
        for part in parents:
            owner = owner[part]
        if value is MISSING:
            del owner[last]
        else:
            owner[last] = value
    return recipe


def png():
    """One grey pixel."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b""))


def main():
    phbatch = pathlib.Path(sys.argv[1]).resolve()

    def run(*arguments):
        return subprocess.run([phbatch, *arguments], capture_output=True, text=True, check=False)

    schema = json.loads(run("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "mark.png").write_bytes(png())
        run("init", str(folder / "init.json"))

        cases = []  # the file, what it is, whether the schema and phbatch should take it
        shipped = sorted((TOP / "Recipes").glob("*.json"))
        for path in [*shipped, folder / "init.json"]:
            if path.name != "recipe.schema.json":
                cases.append((path, path.name, True, True))
        valid = [(), *(parametric(*entry) for entry in PARAMETERS)]
        tables = [(valid, True, True), (WRONG, False, False), (UNKNOWABLE, True, False)]
        for table, by_schema, by_phbatch in tables:
            for places in table:
                path = folder / f"{len(cases)}.json"
                path.write_text(json.dumps(changed(places)))
                cases.append((path, repr(places), by_schema, by_phbatch))

        (folder / "base.json").write_text(json.dumps(BASE))
        for change, is_taken in EXTENDING:
            recipe = {"identifier": "org.example.own", "version": "1.0.0", "extends": "base.json"}
            path = folder / f"{len(cases)}.json"
            path.write_text(json.dumps({**recipe, **change}))
            cases.append((path, f"extending {change!r}", is_taken, is_taken))

        result = run("validate", *[str(path) for path, *_ in cases])
        taken = {line.split(":")[0] for line in result.stdout.splitlines()}
        if result.returncode != 65:
            failures.append(f"validate ended with {result.returncode}: {result.stderr[-500:]}")
        for path, what, by_schema, by_phbatch in cases:
            if validator.is_valid(json.loads(path.read_text())) != by_schema:
                failures.append(f"the schema {'refuses' if by_schema else 'takes'} {what}")
            if (str(path) in taken) != by_phbatch:
                failures.append(f"phbatch {'refuses' if by_phbatch else 'takes'} {what}")

    for failure in failures:
        print(failure, file=sys.stderr)
    print(
        f"schema: {len(cases)} recipes, {len(WRONG)} wrong for both, "
        f"{len(UNKNOWABLE)} for phbatch alone, {len(failures)} surprises")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
