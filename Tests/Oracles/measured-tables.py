"""Writes bases.txt and measured.txt, the tables that measuring filters are compared with.

Run: pip install numpy scipy scikit-image opencv-python-headless
     && python3 Tests/Oracles/measured-tables.py
"""
import pathlib, warnings
warnings.filterwarnings("ignore")
import cv2
import numpy as np
from skimage import exposure

here = pathlib.Path(__file__).parent
width, height = 64, 48


def level(x, y, c):
    """One 8-bit sample of the test picture, MeasuredPicture in the tests: an edge, ramps, noise."""
    return min(255, (40 if x < 32 else 150) + (x * 7 + y * 13 + c * 29) % 31
               + (x * y + c * 17) % 19 * 2 + y // 2)


picture = np.array([[[level(x, y, c) for c in range(3)] for x in range(width)]
                    for y in range(height)], dtype=np.float64) / 255
weight = np.array([[(x + 2 * y) % 5 / 4 for x in range(width)] for y in range(height)])
luma = picture @ [0.2126, 0.7152, 0.0722]
linear = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)


def window(y, x, r):
    return slice(max(0, y - r), y + r + 1), slice(max(0, x - r), x + r + 1)


def box(plane, w, r):
    mean = np.zeros_like(plane)
    for y in range(plane.shape[0]):
        for x in range(plane.shape[1]):
            part = window(y, x, r)
            total = w[part].sum()
            mean[y, x] = (w[part] * plane[part]).sum() / total if total > 0 else 0
    return mean


def variance_of(p, w, r):
    return box(p * p, w, r) - box(p, w, r)**2


def textures(p, w, r, small, spread):
    """How far windows are texture, 0…1, and the variances of windows and of small windows."""
    v, u = variance_of(p, w, r), variance_of(p, w, small)
    part = box(u, w, r) / (np.maximum(v, variance_of(p, w, r + small)) + 1e-9)
    way = np.clip((part - spread[0]) / (spread[1] - spread[0]), 0, 1)
    return 3 * way**2 - 2 * way**3, v, u


def detail(u, noise):
    return np.ones_like(u) if noise is None else u**2 / (u**2 + noise**2)


def lines_of(p, w, r, small, step, texture, spread, noise=None):
    """The base by a guided filter, as GuidedLines says it, for five lumas."""
    way, v, u = textures(p, w, r, small, spread)
    t = step + (texture - step) * way
    a = v**2 / (v**2 + t**2)
    slope, offset = box(a, w, r), box((1 - a) * box(p, w, r), w, r)
    return [luma + detail(u, noise) * (offset - (1 - slope) * luma) for luma in LUMAS]


LUMAS, KNOTS = [0, 0.25, 0.5, 0.75, 1], 32


def differences(p, w, r, small, cell, radius, edges, in_texture, spread, noise=None):
    """The base by differences of tone, as ToneDifferences says it, for five lumas."""
    down, across = (int(n / cell + 0.5) for n in p.shape)
    place = (np.arange(p.shape[0])[:, None] * down // p.shape[0],
             np.arange(p.shape[1])[None] * across // p.shape[1])

    near = [np.linalg.matrix_power(
        (np.abs(np.arange(n)[:, None] - np.arange(n)[None]) <= radius).astype(float), 3)
        for n in (down, across)]

    def sums(plane):
        cells = np.zeros((down, across))
        np.add.at(cells, place, w * plane)
        return near[0] @ cells @ near[1]

    count = sums(np.ones_like(p))
    way, _, u = textures(p, w, r, small, spread)
    way, part = sums(way) / count, sums(detail(u, noise)) / count

    def base(luma):
        d = p - luma
        at_edges, inside = (sums(d * np.exp(-d**2 / (2 * s**2))) / count
                            for s in (edges, in_texture))
        return np.clip(luma + part * (at_edges + way * (inside - at_edges)), 0, 1)

    values = []
    for luma in LUMAS:
        knot = min(KNOTS - 2, int(luma * (KNOTS - 1)))
        low, high = base(knot / (KNOTS - 1)), base((knot + 1) / (KNOTS - 1))
        values.append(low + (luma * (KNOTS - 1) - knot) * (high - low))
    return values


def rows(name, *planes):
    high, wide = planes[0].shape
    down, across = max(5, high // 9), max(7, wide // 9)
    places = [(x, y) for y in range(0, high, down) for x in range(0, wide, across)]
    places += [(wide - 1, high - 1), (wide // 2 - 1, 20), (wide // 2, 20)]
    return [f"{name} {x} {y} " + " ".join(f"{p[y, x]:.9f}" for p in planes) for x, y in places]


ones = np.ones_like(luma)
contrast = (0.06, 0.25, (0.25, 0.45), 1e-4)
large, five = np.kron(luma, np.ones((5, 5))), np.ones((5 * height, 5 * width))
lines = ["# name x y, and the base of five lumas; see measured-tables.py"]
lines += rows("broad", *differences(luma, ones, 2, 1, 1, 2, 0.06, 0.12, (0.3, 0.5)))
lines += rows("large", *differences(large, five, 10, 4, 3, 3, 0.06, 0.12, (0.3, 0.5)))
lines += rows("contrast", *differences(luma, ones, 2, 1, 1, 2, *contrast))
lines += rows("translucent", *differences(luma, weight, 2, 1, 1, 2, *contrast))
lines += rows("fine", *lines_of(luma, ones, 1, 1, 0.001, 0.025, (0.55, 0.75), 6e-5))
(here / "bases.txt").write_text("\n".join(lines) + "\n")

lines = ["# name and numbers; see measured-tables.py"]
for part in (0, 0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 1):
    lines.append(f"quantile {part} {np.quantile(luma, part):.9f}")
    lines.append("channels " + f"{part} " + " ".join(
        f"{np.quantile(picture[:, :, c], part):.9f}" for c in range(3)))

average = np.exp(np.log(1e-4 + linear @ [0.2126, 0.7152, 0.0722]).mean())
lines.append(f"logAverage {average:.9f}")

grey = np.round(luma * 255).astype(np.uint8)
# Eight times as large: OpenCV spreads what it clips unevenly where tiles have few pixels.
large = np.repeat(np.repeat(grey, 8, axis=0), 8, axis=1)
clahe = cv2.createCLAHE(clipLimit=4.0, tileGridSize=(4, 4)).apply(large)[4::8, 4::8] / 255
equal = exposure.equalize_hist(grey, nbins=256)
lines += rows("clahe", clahe)
lines += rows("equalize", equal)
(here / "measured.txt").write_text("\n".join(lines) + "\n")
