"""Writes raw.txt, the values that corrections of raw photos are compared with.

The formulas are those of the Adobe Digital Negative Specification 1.7, 2023, chapters 6 and 7, in
double precision.

Run: pip install numpy && python3 Tests/Oracles/raw-tables.py
"""
import math
import pathlib

import numpy as np

WIDTH, HEIGHT = 64, 48
lines = ["# opcode x y: the value of a pixel of RawCorrectionTests after the opcode"]


def before(x, y):
    return 0.1 + 0.01 * x + 0.005 * y


def pixels(change):
    for y in range(0, HEIGHT, 5):
        for x in range(0, WIDTH, 7):
            yield x, y, change(x, y, before(x, y))


def add(name, change):
    for x, y, value in pixels(change):
        lines.append(f"{name} {x} {y} {value:.9f}")


def gain(x, y, value):
    """GainMap: 4 × 5 points; every second row and third column of (4, 6) … (44, 60)."""
    if not (4 <= y < 44 and 6 <= x < 60 and (y - 4) % 2 == 0 and (x - 6) % 3 == 0):
        return value
    points = np.array([[1 + 0.05 * r * c + 0.02 * r for c in range(5)] for r in range(4)])
    row = np.clip(((y + 0.5) / HEIGHT - 0.05) / 0.3, 0, 3)
    column = np.clip(((x + 0.5) / WIDTH - 0.1) / 0.2, 0, 4)
    r, c = min(int(row), 2), min(int(column), 3)
    v, h = row - r, column - c
    top = points[r, c] * (1 - h) + points[r, c + 1] * h
    bottom = points[r + 1, c] * (1 - h) + points[r + 1, c + 1] * h
    return value * (top * (1 - v) + bottom * v)


def polynomial(x, y, value):
    return sum(k * min(value, 1) ** i for i, k in enumerate([0.01, 0.8, 0.3, -0.1]))


def table(x, y, value):
    index = min(49_999, int(math.floor(value * 65_535 + 0.5)))
    return (index + index // 10) / 65_535


def delta_rows(x, y, value):
    if not (10 <= y < 40 and (y - 10) % 2 == 0):
        return value
    return value + ((y - 10) // 2 * 100 - 500) / 65_535


def scale_columns(x, y, value):
    if not (5 <= x < 61 and (x - 5) % 4 == 0):
        return value
    return value * (1 + 0.03 * ((x - 5) // 4))


def radius(cx, cy, width, height):
    return math.hypot(max(cx, 1 - cx) * width, max(cy, 1 - cy) * height)


def vignette(x, y, value):
    cx, cy = 0.45, 0.55
    m = radius(cx, cy, WIDTH, HEIGHT)
    d = ((x + 0.5 - cx * WIDTH) ** 2 + (y + 0.5 - cy * HEIGHT) ** 2) / m ** 2
    return value * (1 + sum(k * d ** (i + 1) for i, k in enumerate([0.3, -0.1, 0.05, 0.02, -0.01])))


for name, change in [
    ("GainMap", gain), ("MapPolynomial", polynomial), ("MapTable", table),
    ("DeltaPerRow", delta_rows), ("ScalePerColumn", scale_columns),
    ("FixVignetteRadial", vignette),
]:
    add(name, change)

lines.append("# warp x y: the colour of a pixel of 200 × 150 that were (x, y, x + 2 y) before")
PLANES = [[1.02, -0.05, 0.01, 0.002, 0.001, -0.002], [1.01, -0.04, 0.0, 0.003, 0, 0],
          [0.99, 0.03, -0.02, 0.0, -0.001, 0.001]]
FISHEYE = [[1.03, 0.1, -0.05, 0.01]]


def warped(x, y, terms, fisheye):
    cx, cy = 0.48, 0.53
    m = radius(cx, cy, 200, 150)
    dx, dy = (x + 0.5 - cx * 200) / m, (y + 0.5 - cy * 150) / m
    r2 = dx * dx + dy * dy
    k = terms
    if fisheye:
        r = math.sqrt(r2)
        t = math.atan(r)
        f = (k[0] * t + k[1] * t ** 3 + k[2] * t ** 5 + k[3] * t ** 7) / r
        tx = ty = 0
    else:
        f = k[0] + k[1] * r2 + k[2] * r2 ** 2 + k[3] * r2 ** 3
        tx = k[4] * 2 * dx * dy + k[5] * (r2 + 2 * dx * dx)
        ty = k[5] * 2 * dx * dy + k[4] * (r2 + 2 * dy * dy)
    return cx * 200 + m * (dx * f + tx) - 0.5, cy * 150 + m * (dy * f + ty) - 0.5


for name, planes in [("WarpRectilinear", PLANES), ("WarpFisheye", FISHEYE)]:
    for y in range(12, 140, 21):
        for x in range(12, 190, 23):
            places = [warped(x, y, planes[min(p, len(planes) - 1)], name == "WarpFisheye")
                      for p in range(3)]
            values = [places[0][0], places[1][1], places[2][0] + 2 * places[2][1]]
            lines.append(f"{name} {x} {y} " + " ".join(f"{v:.6f}" for v in values))

lines.append("# huesat encoded: linear sRGB before and after the table of RawCorrectionTests")


def rgb_to_xyz(primaries, white):
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    w = np.array([white[0] / white[1], 1, (1 - white[0] - white[1]) / white[1]])
    return columns * np.linalg.solve(columns, w)


BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                     [0.0389, -0.0685, 1.0296]])
D65, D50 = (0.3127, 0.3290), (0.3457, 0.3585)


def white(xy):
    return np.array([xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]])


adapt = np.linalg.inv(BRADFORD) @ np.diag(BRADFORD @ white(D50) / (BRADFORD @ white(D65))) @ BRADFORD
srgb = rgb_to_xyz([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)], D65)
prophoto = rgb_to_xyz([(0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105)], D50)
to_prophoto = np.linalg.inv(prophoto) @ adapt @ srgb


def entry(h, s, v):
    return np.array([((h * 7 + s * 5 + v * 3) % 11 - 5) * 2, 0.8 + 0.05 * ((h + 2 * s + v) % 9),
                     0.9 + 0.03 * ((2 * h + s + 3 * v) % 8)])


def interpolated(hue, saturation, value):
    """hue in degrees; 6 hues, 3 saturations, 4 values"""
    total = np.zeros(3)
    h, s, v = hue / 60, saturation * 2, value * 3
    h0, s0, v0 = int(h) % 6, min(int(s), 1), min(int(v), 2)
    for i, wh in ((0, 1 - (h - int(h))), (1, h - int(h))):
        for j, ws in ((0, 1 - (s - s0)), (1, s - s0)):
            for k, wv in ((0, 1 - (v - v0)), (1, v - v0)):
                total += wh * ws * wv * entry((h0 + i) % 6, s0 + j, v0 + k)
    return total


def encode(x):
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def decode(x):
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def changed(rgb, encoded):
    r, g, b = np.maximum(to_prophoto @ rgb, 0)
    most, least = max(r, g, b), min(r, g, b)
    gap = most - least
    if gap == 0:
        hue = 0.0
    elif most == r:
        hue = 60 * ((g - b) / gap % 6)
    elif most == g:
        hue = 60 * ((b - r) / gap + 2)
    else:
        hue = 60 * ((r - g) / gap + 4)
    saturation = gap / most
    value = min(most, 1)
    shown = encode(value) if encoded else value
    shift, by_saturation, by_value = interpolated(hue, saturation, shown)
    hue = (hue + shift) % 360
    saturation = min(1, saturation * by_saturation)
    factor = (decode(shown * by_value) if encoded else value * by_value) / value
    v = most * factor
    chroma = v * saturation
    x = chroma * (1 - abs(hue / 60 % 2 - 1))
    base = [(chroma, x, 0), (x, chroma, 0), (0, chroma, x), (0, x, chroma), (x, 0, chroma),
            (chroma, 0, x)][int(hue // 60) % 6]
    return np.linalg.solve(to_prophoto, np.array(base) + v - chroma)


COLOURS = [(0.2, 0.22, 0.19), (0.5, 0.1, 0.05), (0.05, 0.4, 0.1), (0.1, 0.08, 0.6), (0.7, 0.6, 0.02),
           (0.02, 0.3, 0.35), (0.3, 0.02, 0.25), (0.9, 0.85, 0.8), (1.6, 1.2, 0.9),
           (0.001, 0.002, 0.003), (0.45, 0.3, 0.22)]
for encoded in (0, 1):
    for colour in COLOURS:
        result = changed(np.array(colour), encoded)
        lines.append(f"huesat {encoded} " + " ".join(f"{v}" for v in colour) + " "
                     + " ".join(f"{v:.9f}" for v in result))

pathlib.Path(__file__).parent.joinpath("raw.txt").write_text("\n".join(lines) + "\n")
