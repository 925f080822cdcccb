"""What a script on pyvips does: with-pyvips.py VERSION JOB [RECIPE] OUT PHOTO…

The jobs are `codec`, `web`, `web-by-hand`, `sizes`, `five`, `png`, `png-filtered`, `png-1280`, and for a
recipe of ours `steps`, each step in libvips' own
operations, and `folded`, where neighbours are one operation if they can be.
"""
import json
import math
import os
import sys

import pyvips

# Bradford's adaptation of 6000 K and tint 4 to white, as `phbatch explain` prints it.
WHITE_BALANCE = [[0.9889, -0.0124, -0.0043], [0.0006, 0.9998, -0.002], [0.0022, 0.0085, 1.0926]]
SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
# libvips has OKLab since 8.18; before, its users work in CIELAB.
PERCEPTUAL = "oklab" if pyvips.at_least_libvips(8, 18) else "lab"
RANGE = 1 if PERCEPTUAL == "oklab" else 100


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def mixed(amount, a, b):
    return [[amount * x + (1 - amount) * y for x, y in zip(*rows)] for rows in zip(a, b)]


def spline(points):
    """A monotone cubic through the points (F. N. Fritsch, R. E. Carlson, 1980)."""
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in zip(points, points[1:])]
    tangents = [slopes[0]] + [
        0 if a * b <= 0 else 2 * a * b / (a + b) for a, b in zip(slopes, slopes[1:])] + [slopes[-1]]

    def value(x):
        index = max(i for i, (left, _) in enumerate(points[:-1]) if i == 0 or left <= x)
        (x1, y1), (x2, y2) = points[index], points[index + 1]
        width, t = x2 - x1, (x - x1) / (x2 - x1)
        return ((1 + 2 * t) * (1 - t) ** 2 * y1 + t * (1 - t) ** 2 * width * tangents[index]
                + t * t * (3 - 2 * t) * y2 + t * t * (t - 1) * width * tangents[index + 1])
    return value


def curve(step):
    """The functions of red, green and blue that a step of tones is, on encoded values."""
    kind = step["filter"]
    if kind == "levels":
        black, white = step.get("black", 0), step.get("white", 1)
        low, high = step.get("outBlack", 0), step.get("outWhite", 1)
        return [lambda x: low + (high - low) * (x - black) / (white - black)] * 3
    if kind == "contrast":
        k = 8 * step["amount"]
        return [lambda x: 0.5 + math.tanh(k * (x - 0.5) / 2) / (2 * math.tanh(k / 4))] * 3
    if kind == "brightness":
        return [lambda x: x + step["amount"]] * 3
    if kind == "gamma":
        return [lambda x: max(x, 0) ** (1 / step["gamma"])] * 3
    if kind == "curves":
        all_channels = spline(step.get("rgb", [[0, 0], [1, 1]]))
        own = [spline(step.get(name, [[0, 0], [1, 1]])) for name in ("red", "green", "blue")]
        return [lambda x, f=f: f(all_channels(x)) for f in own]
    return None


def matrix(step):
    """The space of a step that is a matrix, and the matrix."""
    kind = step["filter"]
    if kind == "exposure":
        gain = 2 ** step["stops"]
        return "scrgb", [[gain * x for x in row] for row in IDENTITY]
    if kind == "whiteBalance":
        return "scrgb", WHITE_BALANCE
    if kind == "sepia":
        return "rgb16", mixed(step["intensity"], SEPIA, IDENTITY)
    if kind == "saturation":
        grow = 1 + step["amount"]
        return PERCEPTUAL, [[1, 0, 0], [0, grow, 0], [0, 0, grow]]
    if kind == "hue":
        c, s = (f(math.radians(step["angle"])) for f in (math.cos, math.sin))
        return PERCEPTUAL, [[1, 0, 0], [0, c, -s], [0, s, c]]
    return None


class Table:
    """Tone curves, one after the other, as one table for 16-bit values."""
    space = "rgb16"

    def __init__(self, functions):
        rows = []
        for x in [round(65535 * i / 256) for i in range(257)]:
            values = [x / 65535] * 3
            for three in functions:
                values = [f(value) for f, value in zip(three, values)]
            rows.append([x] + [65535 * min(max(value, 0), 1) for value in values])
        self.table = pyvips.Image.new_from_array(rows).buildlut().cast("ushort").copy_memory()

    def apply(self, image, _):
        return image.maplut(self.table).copy(interpretation="rgb16")


class Matrix:
    def __init__(self, space, rows):
        self.space = space
        self.rows = pyvips.Image.new_from_array(rows)

    def apply(self, image, _):
        changed = image.recomb(self.rows)
        if self.space == "rgb16":
            changed = changed.cast("ushort")
        return changed.copy(interpretation=self.space)


class Gain:
    """The same factor for all channels: cheaper than a matrix."""
    space = "scrgb"

    def __init__(self, factor):
        self.factor = factor

    def apply(self, image, _):
        return image * self.factor


class Vibrance:
    space = PERCEPTUAL

    def __init__(self, amount):
        self.amount = amount

    def apply(self, image, _):
        a, b = image[1], image[2]
        chroma = (a * a + b * b) ** 0.5
        growth = (chroma < 0.25 * RANGE).ifthenelse(
            chroma * (-4 * self.amount / RANGE) + (1 + self.amount), 1.0)
        return image[0].bandjoin([a * growth, b * growth]).copy(interpretation=self.space)


class Vignette:
    space = "scrgb"

    def __init__(self, step):
        self.strength = step["intensity"]

    def apply(self, image, size):
        width, height = size
        place = pyvips.Image.xyz(width, height)
        centred = (place - [(width - 1) / 2, (height - 1) / 2]) * [2 / width, 2 / height]
        squared = centred * centred
        distance = (squared[0] + squared[1]) * 0.5
        away = (distance ** 0.5 - 0.15) * (1 / 0.7)
        away = (away < 0).ifthenelse(0.0, (away > 1).ifthenelse(1.0, away))
        smooth = away * away * (away * -2 + 3)
        return (image * (smooth * self.strength + 1)).copy(interpretation="scrgb")


class Sharpen:
    """libvips' unsharp mask on lightness, without a threshold."""
    space = "srgb"

    def __init__(self, step):
        self.step = step

    def apply(self, image, _):
        amount = self.step["amount"]
        return image.sharpen(
            sigma=self.step["radius"], x1=0, m1=amount, m2=amount, y2=100, y3=100)


def stage(step, by_hand):
    if three := curve(step):
        return Table([three])
    if found := matrix(step):
        plain = step["filter"] == "exposure" and not by_hand
        return Gain(found[1][0][0]) if plain else Matrix(*found)
    kind = {"vibrance": lambda: Vibrance(step["amount"]), "vignette": lambda: Vignette(step),
            "sharpen": lambda: Sharpen(step)}
    return kind[step["filter"]]()


def stages(steps):
    return [stage(step, by_hand=False) for step in steps]


def folded_stages(steps):
    """The stages, with neighbouring tables made one table and neighbouring matrices one matrix."""
    result, curves, product = [], [], None

    def flush():
        nonlocal curves, product
        if curves:
            result.append(Table(curves))
        if product:
            result.append(Matrix(*product))
        curves, product = [], None

    for step in steps:
        if three := curve(step):
            if product:
                flush()
            curves.append(three)
        elif found := matrix(step):
            if curves or product and product[0] != found[0]:
                flush()
            product = (found[0], times(found[1], product[1]) if product else found[1])
        else:
            flush()
            result.append(stage(step, by_hand=True))
    flush()
    return result


def edited(photo, chain):
    image = opened(photo)
    size = (image.width, image.height)
    for step in chain:
        if image.interpretation != step.space:
            image = image.colourspace(step.space)
        image = step.apply(image, size)
    return image if image.interpretation == "srgb" else image.colourspace("srgb")


def opened(photo):
    return pyvips.Image.new_from_file(photo, access="sequential", autorotate=True)


def save(image, photo, out, quality, suffix=""):
    stem = os.path.splitext(os.path.basename(photo))[0]
    image.jpegsave(
        os.path.join(out, stem + suffix + ".jpg"), Q=quality, subsample_mode="on",
        optimize_coding=True, strip=True)


def save_png(image, photo, out, **options):
    stem = os.path.splitext(os.path.basename(photo))[0]
    image.pngsave(os.path.join(out, stem + ".png"), strip=True, **options)


def save_webp(image, photo, out, suffix):
    stem = os.path.splitext(os.path.basename(photo))[0]
    image.webpsave(os.path.join(out, stem + suffix + ".webp"), Q=80, strip=True)


def thumbnail(photo, edge):
    return pyvips.Image.thumbnail(photo, edge, height=edge, size="down")


def main(version, job, *arguments):
    assert pyvips.version(1) == int(version.split(".")[1]), "another libvips than asked for"
    pyvips.cache_set_max(0)
    chain = []
    if job in ("steps", "folded"):
        recipe, *arguments = arguments
        with open(recipe) as file:
            steps = json.load(file)["filters"]
        chain = stages(steps) if job == "steps" else folded_stages(steps)
    out, *photos = arguments
    for photo in photos:
        if job == "codec":
            save(opened(photo), photo, out, 90)
        elif job == "web":
            small = thumbnail(photo, 1600)
            save(Sharpen({"radius": 0.6, "amount": 0.4}).apply(small, None), photo, out, 80)
        elif job == "web-by-hand":
            # A reduction while decoding that leaves more than 1600 pixels of photos of 8 megapixels.
            half = pyvips.Image.new_from_file(
                photo, access="sequential", autorotate=True, shrink=2)
            small = half.resize(1600 / max(half.width, half.height))
            save(Sharpen({"radius": 0.6, "amount": 0.4}).apply(small, None), photo, out, 80)
        elif job == "sizes":
            for edge in (2048, 1024, 512):
                save(thumbnail(photo, edge), photo, out, 80, f"-{edge}")
        elif job == "five":
            for edge in (2048, 1280, 640, 320):
                save(thumbnail(photo, edge), photo, out, 80, f"-{edge}")
            save_webp(thumbnail(photo, 640), photo, out, "-640")
        elif job == "png":
            save_png(opened(photo), photo, out)
        elif job == "png-filtered":
            save_png(opened(photo), photo, out, filter="all")
        elif job == "png-1280":
            save_png(thumbnail(photo, 1280), photo, out)
        else:
            save(edited(photo, chain), photo, out, 90)


main(*sys.argv[1:])
