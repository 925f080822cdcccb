"""Writes guided.txt and measured.txt, the tables that measuring filters are compared with.

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
    for y in range(height):
        for x in range(width):
            part = window(y, x, r)
            total = w[part].sum()
            mean[y, x] = (w[part] * plane[part]).sum() / total if total > 0 else 0
    return mean


def guided(p, i, w, r, epsilon):
    """He, Sun, Tang 2013, equations 5 to 9."""
    mean_i, mean_p = box(i, w, r), box(p, w, r)
    a = (box(i * p, w, r) - mean_i * mean_p) / (variance_of(i, w, r) + epsilon)
    return box(a, w, r), box(mean_p - a * mean_i, w, r)


def variance_of(p, w, r):
    return box(p * p, w, r) - box(p, w, r)**2


def local_base(p, w, r, small, step, texture, spread, noise=None):
    """The base of local tone, as LocalBase says it."""
    v, u = variance_of(p, w, r), variance_of(p, w, small)
    part = box(u, w, r) / (np.maximum(v, variance_of(p, w, r + small)) + 1e-9)
    way = np.clip((part - spread[0]) / (spread[1] - spread[0]), 0, 1)
    t = step + (texture - step) * (3 * way**2 - 2 * way**3)
    a = v**2 / (v**2 + t**2)
    detail = 1 if noise is None else u**2 / (u**2 + noise**2)
    return 1 - detail * (1 - box(a, w, r)), detail * box((1 - a) * box(p, w, r), w, r)


def rows(name, *planes):
    places = [(x, y) for y in range(0, height, 5) for x in range(0, width, 7)]
    places += [(width - 1, height - 1), (31, 20), (32, 20)]
    return [f"{name} {x} {y} " + " ".join(f"{p[y, x]:.9f}" for p in planes) for x, y in places]


ones = np.ones_like(luma)
lines = ["# name x y a b; see measured-tables.py"]
lines += rows("self", *guided(luma, luma, ones, 2, 0.01))
lines += rows("wide", *guided(luma, luma, ones, 60, 0.0025))
lines += rows("weighted", *guided(luma, luma, weight, 3, 0.01))
lines += rows("other", *guided(picture[:, :, 2], luma, ones, 4, 0.001))
lines += rows("broad", *local_base(luma, ones, 2, 1, 0.001, 0.01, (0.3, 0.5)))
lines += rows("contrast", *local_base(luma, ones, 2, 1, 0.0003, 0.03, (0.4, 0.6), 1e-4))
lines += rows("fine", *local_base(luma, ones, 1, 1, 0.001, 0.025, (0.55, 0.75), 6e-5))
lines += rows("translucent", *local_base(luma, weight, 2, 1, 0.0003, 0.03, (0.4, 0.6), 1e-4))
(here / "guided.txt").write_text("\n".join(lines) + "\n")

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
