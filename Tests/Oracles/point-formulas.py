"""Writes point-filters.txt, the table that the point filters are compared with.

The formulas are those of the documentation and of the sources it names, in double precision:
IEC 61966-2-1 (transfer function), B. Ottosson 2020 (OKLab), W3C Filter Effects (sepia), scipy's
PchipInterpolator (curves). Nothing is taken from the Swift or C sources.

Each filter is computed on the same pixels twice: as they are, and spread over -0.5...1.5 before it
and brought back by a quarter after it, so that values outside 0...1 go through it.

Run: pip install numpy scipy && python3 Tests/Oracles/point-formulas.py
"""
import json
import pathlib
import numpy as np
from scipy.interpolate import PchipInterpolator

LUMA = np.array([0.2126, 0.7152, 0.0722])


def odd(x, f):
    return np.sign(x) * f(np.abs(x))


def linear(v):
    return odd(v, lambda x: np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4))


def display(v):
    return odd(v, lambda x: np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055))


LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005]])
LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660]])


def oklab(p):
    return np.cbrt(linear(p) @ LMS.T) @ LAB.T


def from_oklab(lab):
    return display((lab @ np.linalg.inv(LAB).T) ** 3 @ np.linalg.inv(LMS).T)


def in_light(f):
    return lambda p: display(f(linear(p)))


def in_oklab(f):
    return lambda p: from_oklab(f(oklab(p)))


def chroma(lab):
    return np.hypot(lab[:, 1:2], lab[:, 2:3])


def smoothstep(t):
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def hexadecimal(text):
    return np.array([int(text[i:i + 2], 16) for i in (1, 3, 5)]) / 255


def wheel(degrees):
    """sRGB's fully saturated colour at a hue of the HSV wheel."""
    turn = np.array([0, 120, 240])
    distance = np.abs((np.asarray(degrees, float) - turn + 180) % 360 - 180)
    return np.clip(2 - distance / 60, 0, 1)


def wheel_angle(degrees):
    lab = oklab(wheel(degrees)[None])[0]
    return np.arctan2(lab[2], lab[1])


# Tone

def exposure(stops=0):
    return in_light(lambda c: c * 2 ** stops)


def brightness(amount=0):
    return lambda p: p + amount


def toned(f):
    """A curve for the greatest and the least channel; the middle one keeps its place."""
    def g(p):
        high, low = p.max(axis=1, keepdims=True), p.min(axis=1, keepdims=True)
        top, bottom, width = f(high), f(low), high - low
        return bottom + (top - bottom) * np.where(width > 0, (p - low) / np.where(width > 0, width, 1), 0)
    return g


def contrast_curve(amount, steepest=8):
    k = steepest * abs(amount)
    if k == 0:
        return lambda x: x
    slope = k / 4 / (np.cosh(k / 4) ** 2 * np.tanh(k / 4))

    def rising(x):
        inside = 0.5 + np.tanh(k * (x - 0.5) / 2) / (2 * np.tanh(k / 4))
        return np.where(x < 0, x * slope, np.where(x > 1, 1 + (x - 1) * slope, inside))

    def falling(y):
        z = np.clip((y - 0.5) * 2 * np.tanh(k / 4), -0.999999999, 0.999999999)
        inside = 0.5 + np.arctanh(z) * 2 / k
        return np.where(y < 0, y / slope, np.where(y > 1, 1 + (y - 1) / slope, inside))

    return rising if amount > 0 else falling


def contrast(amount=0):
    return toned(contrast_curve(amount, 8 if amount > 0 else 5))


def gamma(gamma=1):
    return lambda p: odd(p, lambda x: x ** (1 / gamma))


def levels(black=0, white=1, gamma=1, outBlack=0, outWhite=1, shadow=0.25, outShadow=0.25,
           middle=0.5, outMiddle=0.5, highlight=0.75, outHighlight=0.75, channel="rgb"):
    between = curve([[0, 0], [shadow, outShadow], [middle, outMiddle], [highlight, outHighlight],
                     [1, 1]])

    def f(p):
        bent = between(odd((p - black) / (white - black), lambda x: x ** (1 / gamma)))
        if outBlack > 0:
            bent = np.maximum(bent, 0)
        if outWhite < 1 and channel == "rgb":  # to white, with the hue of the colour
            light = linear(bent)
            bent = display(light / np.maximum(1, light.max(axis=-1, keepdims=True)))
        elif outWhite < 1:
            bent = np.minimum(bent, 1)
        out = outBlack + (outWhite - outBlack) * bent
        chosen = [channel in ("rgb", name) for name in ("red", "green", "blue")]
        return np.where(chosen, out, p)
    return f


def curve(points):
    x, y = np.array(points, float).T
    spline = PchipInterpolator(x, y)
    before = spline.derivative()(x[0]) if x[0] == 0 else 0
    after = spline.derivative()(x[-1]) if x[-1] == 1 else 0
    return lambda v: np.where(
        v < x[0], y[0] + before * (v - x[0]),
        np.where(v > x[-1], y[-1] + after * (v - x[-1]), spline(np.clip(v, x[0], x[-1]))))


def curves(rgb=None, red=None, green=None, blue=None, lightness=None):
    same = [[0, 0], [1, 1]]
    every, each = toned(curve(rgb or same)), [curve(c or same) for c in (red, green, blue)]

    def channels(p):
        p = every(p)
        return np.stack([each[i](p[:, i]) for i in range(3)], axis=1)

    def lit(lab):
        held = np.clip(lab[:, :1], 0, 1)
        wanted = curve(lightness)(held)
        gain = np.minimum(4, np.where(held > 0, wanted / np.where(held > 0, held, 1), 4))
        return kept_in(lab, np.hstack([lab[:, :1] + wanted - held, lab[:, 1:] * gain]))

    return (lambda p: in_oklab(lit)(channels(p))) if lightness else channels


def invert():
    return lambda p: 1 - p


def stretch(x, a):
    """x / sqrt(1 - a x^2 / 2), straight below 0 and from the place of white on."""
    p = abs(a) / 2
    end, slope = 1 / np.sqrt(1 - p), (1 - p) ** -1.5
    if a >= 0:
        bent = x / np.sqrt(1 - p * np.clip(x, 0, 1) ** 2)
        return np.where(x < 0, x, np.where(x > 1, end + (x - 1) * slope, bent))
    bent = x / np.sqrt(1 + p * x ** 2)
    return np.where(x < 0, x, np.where(x > end, 1 + (x - end) / slope, bent))


def whites(amount=0):
    return toned(lambda p: stretch(p, amount))


def blacks(amount=0):
    return toned(lambda p: 1 - stretch(1 - p, -amount))


def solarize(threshold=0.5):
    def f(p):
        p = np.clip(p, 0, 1)
        return np.minimum(p / threshold, (1 - p) / (1 - threshold))
    return f


def posterize(levels=4):
    return lambda p: np.minimum(np.floor(np.clip(p, 0, 1) * levels), levels - 1) / (levels - 1)


def threshold(level=0.5):
    return lambda p: np.repeat((p @ LUMA >= level)[:, None] * 1.0, 3, axis=1)


# Colour

def blackAndWhite(intensity=1, red=0.2126, green=0.7152, blue=0.0722, hue=0, strength=0, neutral=0,
                  tone=0):
    weights = np.array([red, green, blue]) * (1 - strength + strength * wheel(hue))
    weights = weights / weights.sum()

    def f(c):
        grey = odd(display((c @ weights)[:, None]), lambda x: x ** 2.0 ** -neutral)
        return c + intensity * (linear(contrast_curve(tone, 8 if tone > 0 else 5)(grey)) - c)
    return in_light(f)


def sepia(intensity=1):
    m = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
    return lambda p: p + intensity * (p @ m.T - p)


def light_of(lab):
    return (lab @ np.linalg.inv(LAB).T) ** 3 @ np.linalg.inv(LMS).T


def purity(lab):
    """How far a colour is from its grey on the way to the edge of sRGB, more than 1 outside."""
    light = light_of(lab)
    high, low = light.max(axis=1, keepdims=True), light.min(axis=1, keepdims=True)
    grey = lab[:, :1] ** 3
    up = (high - grey) / np.maximum(1 - grey, 1e-4)
    down = (grey - low) / np.maximum(grey, 1e-4)
    return np.maximum(0, np.maximum(up, down))


def held(lab, growth):
    """The factor of chroma: less than asked for the nearer a colour is to the edge of sRGB."""
    square = np.minimum(1, purity(lab)) ** 2
    return 1 + growth * (1 - square) / (1 + growth * square)


def kept_in(before, after):
    """Colours made of others: vivid ones brightened less, and no further out of sRGB."""
    tops = [np.maximum(0, light_of(lab).max(axis=1, keepdims=True)) for lab in (before, after)]
    rise, room = np.sqrt(tops[1]) - np.sqrt(tops[0]), np.maximum(0, 1 - np.sqrt(tops[0]))
    grey = np.clip(before[:, :1] ** 3 / np.maximum(tops[0], 1e-4), 0, 1)
    part = 1 - (1 - grey) * rise / np.where(rise > 0, rise + room + 1e-6, 1)
    lit = np.where(rise > 0, before + part * (after - before), after)
    old, new = purity(before), purity(lit)
    growth = (new + 0.001) / (old + 0.001) - 1
    factor = np.minimum(1 / (1 + growth * np.minimum(1, old) ** 2),
                        np.maximum(1, old) / np.maximum(new, 1e-12))
    return np.hstack([lit[:, :1], lit[:, 1:] * np.where(growth > 0, factor, 1)])


def saturation(amount=0):
    def f(lab):
        factor = held(lab, amount) if amount > 0 else 1 + amount
        return np.hstack([lab[:, :1], lab[:, 1:] * factor])
    return in_oklab(f)


def vibrance(amount=0):
    def f(lab):
        growth = amount * (1 - np.minimum(1, 4 * chroma(lab)))
        if amount > 0:
            apart = np.cos(np.arctan2(lab[:, 2:3], lab[:, 1:2]) - np.radians(50))
            ends = np.cos(np.radians([28, 10]))
            growth = growth * (1 - 0.7 * smoothstep((apart - ends[0]) / (ends[1] - ends[0])))
        factor = held(lab, growth) if amount > 0 else 1 + growth
        return np.hstack([lab[:, :1], lab[:, 1:] * factor])
    return in_oklab(f)


def hue(angle=0):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return in_oklab(lambda lab: lab @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T)


HUES = {"red": 0, "orange": 30, "yellow": 60, "green": 120, "aqua": 180, "blue": 240,
        "purple": 280, "magenta": 320}


def hsl(**settings):
    names = list(HUES)
    anchors = np.degrees([wheel_angle(HUES[n]) for n in names]) % 360

    def get(n, key):
        return settings.get(n + key, 0)

    gaps = [(anchors[(i + 1) % 8] - anchors[i]) % 360 for i in range(8)]
    shift = []
    for i, n in enumerate(names):
        h, after, before = (get(names[(i + d) % 8], "Hue") for d in (0, 1, -1))
        if h >= 0:
            shift.append(0.6 * gaps[i] * h / max(1, h + max(0, -after)))
        else:
            shift.append(0.6 * gaps[i - 1] * h / max(1, -h + max(0, before)))
    changes = [[shift[i], get(n, "Saturation"), get(n, "Luminance")] for i, n in enumerate(names)]
    return hue_map(anchors, changes)


def selectiveColour(colour="#ff0000", spread=1, hue=0, saturation=0, luminance=0):
    lab = oklab(hexadecimal(colour)[None])[0]
    centre, width = np.degrees(np.arctan2(lab[2], lab[1])), 15 + 30 * spread
    anchors = np.array([centre - width, centre, centre + width]) % 360
    changes = np.array([[0, 0, 0], [0.6 * width * hue, saturation, luminance], [0, 0, 0]])
    order = np.argsort(anchors)
    return hue_map(anchors[order], changes[order])


def hue_map(anchors, changes):
    """Changes (shift, saturation, luminance) at rising hues, and between them."""
    count, changes = len(anchors), np.array(changes, float)
    gaps = [(anchors[(i + 1) % count] - anchors[i]) % 360 for i in range(count)]

    def f(lab):
        angle = np.degrees(np.arctan2(lab[:, 2], lab[:, 1]))
        at = np.zeros((len(lab), 3))
        for i in range(count):
            way = (angle - anchors[i]) % 360
            inside = way < gaps[i]
            part = (0.5 - 0.5 * np.cos(np.pi * way / gaps[i]))[:, None]
            mixed = changes[i] + part * (changes[(i + 1) % count] - changes[i])
            at = np.where(inside[:, None], mixed, at)
        turned = np.radians(angle + at[:, 0])
        c = chroma(lab)[:, 0]
        step = at[:, 2] * c
        room = np.maximum(0, np.where(step > 0, 1 - lab[:, 0], lab[:, 0]))
        lit = lab[:, 0] + step * room / np.maximum(np.abs(step) + room, 1e-12)
        moved = np.stack([lit, c * np.cos(turned), c * np.sin(turned)], axis=1)
        old, new, wanted = purity(lab), purity(moved), 1 + at[:, 1:2]
        growth = np.maximum(0, wanted * (new + 0.001) / (old + 0.001) - 1)
        hold = np.maximum(
            1 + growth * np.minimum(1, old) ** 2, wanted * new / np.maximum(1, old))
        factor = wanted / np.where(growth > 0, hold, 1)
        return np.hstack([moved[:, :1], moved[:, 1:] * factor])
    return in_oklab(f)


def envelope(l):
    return 1 - (2 * np.clip(l, 0, 1) - 1) ** 4


def splitTone(shadowsHue=0, shadowsSaturation=0, highlightsHue=0, highlightsSaturation=0,
              balance=0):
    def f(lab):
        l = lab[:, :1]
        bright = smoothstep(np.clip(l, 0, 1) + balance / 2)
        tint = np.zeros((len(lab), 2))
        for weight, angle, strength in (
                (1 - bright, shadowsHue, shadowsSaturation),
                (bright, highlightsHue, highlightsSaturation)):
            a = wheel_angle(angle)
            tint = tint + 0.15 * strength * weight * np.array([np.cos(a), np.sin(a)])
        return np.hstack([l, lab[:, 1:] + envelope(l) * tint])
    return in_oklab(f)


def colourGrading(balance=0, blending=0.5, **settings):
    """Colours of ranges with borders at c - 0.2 and c + 0.2; luminances of c - 0.25, c, c + 0.25."""
    c, width = 0.5 - 0.15 * balance, 0.1 + 0.8 * blending

    def get(name):
        a = wheel_angle(settings.get(name + "Hue", 0))
        vector = settings.get(name + "Chroma", 0) * np.array([np.cos(a), np.sin(a)])
        return vector, settings.get(name + "Luminance", 0)
    (s, s1), (m, m1), (h, h1), (g, g1) = (
        get(n) for n in ("shadows", "midtones", "highlights", "global"))

    def f(lab):
        l = np.clip(lab[:, :1], 0, 1)
        bright = smoothstep((l - c - 0.2) / width + 0.5)
        dark = 1 - smoothstep((l - c + 0.2) / width + 0.5)
        tone = dark * s + (1 - dark - bright) * m + bright * h + g
        not_dark, light = smoothstep(4 * (l - c + 0.25)), smoothstep(4 * (l - c))
        change = (1 - not_dark) * s1 + (not_dark - light) * m1 + light * h1 + g1
        rise = 0.32 * l * (1 - l) * change
        return np.hstack([lab[:, :1] + rise, lab[:, 1:] + 0.15 * envelope(l) * tone])
    return in_oklab(f)


def cdl(saturation=1, space="srgb", **settings):
    """ASC CDL 1.2, without the clamps."""
    slope, offset, power = (
        np.array([settings.get(name + channel, identity) for channel in ("Red", "Green", "Blue")])
        for name, identity in (("slope", 1), ("offset", 0), ("power", 1)))

    def f(p):
        v = odd(p * slope + offset, lambda x: x ** power)
        luma = (v @ LUMA)[:, None]
        return luma + saturation * (v - luma)
    return f if space == "srgb" else in_light(f)


def colourBalance(**settings):
    def vector(name):
        colour = wheel(settings.get(name + "Hue", 0))
        pure = colour - colour @ LUMA
        return pure * settings.get(name + "Strength", 0), settings.get(name + "Level", 0)
    (s, s1), (m, m1), (h, h1) = (vector(n) for n in ("shadows", "midtones", "highlights"))
    lift = 0.2 * (s + s1)
    power = 2.0 ** -(m + m1)
    gain = 1 + 0.4 * (h + h1)
    return lambda p: lift + (gain - lift) * odd(p, lambda x: x ** power)


def channelMixer(preserveLuminosity=False, **settings):
    names = ["red", "green", "blue"]
    m = np.array([[settings.get(a + b, float(a == b.lower())) for b in ("Red", "Green", "Blue")]
                  for a in names], float)
    constant = np.array([settings.get(a + "Constant", 0) for a in names])
    if preserveLuminosity:
        m = m / m.sum(axis=1, keepdims=True)
    return in_light(lambda c: c @ m.T + constant)


def matrix(rows=((1, 0, 0), (0, 1, 0), (0, 0, 1)), values="linear"):
    m = np.array([list(r) + [0] * (4 - len(r)) for r in rows], float)

    def f(c):
        return c @ m[:, :3].T + m[:, 3]
    return in_light(f) if values == "linear" else f


def duotone(shadows="#1b1b3a", highlights="#f6e7cb", contrast=0):
    ends = oklab(np.stack([hexadecimal(shadows), hexadecimal(highlights)]))
    s = contrast_curve(contrast)
    light = ends[:, 0]
    black, white = display(light ** 3)

    def f(p):
        t = s(np.clip(p @ LUMA, 0, 1))
        grey = np.cbrt(linear(black + t * (white - black)))
        place = (grey - light[0]) / (light[1] - light[0])
        return from_oklab(ends[0] + place[:, None] * (ends[1] - ends[0]))
    return f


def tint(colour="#c08040", strength=0):
    tone = oklab(hexadecimal(colour)[None])[0, 1:]

    def f(lab):
        l = lab[:, :1]
        return np.hstack([l, lab[:, 1:] + strength * (envelope(l) * tone - lab[:, 1:])])
    return in_oklab(f)


PALETTES = {"dusk": ["#120a3a", "#5b2a8c", "#b8467f", "#ef8f6b", "#fbe9b0"],
            "ember": ["#050208", "#5a0f2a", "#c23a1a", "#f59e2c", "#fff6cf"],
            "ocean": ["#06061f", "#1b2f8f", "#1189b0", "#5ed6b8", "#f3ffe0"],
            "spectrum": ["#2b2fbf", "#1fa7d6", "#3fbf55", "#f2d43c", "#d6312b"]}


def falseColour(palette="dusk"):
    stops = oklab(np.stack([hexadecimal(text) for text in PALETTES[palette]]))

    def f(p):
        t = np.clip(p @ LUMA, 0, 1)
        lab = np.stack([np.interp(t, np.linspace(0, 1, 5), stops[:, i]) for i in range(3)], axis=1)
        return from_oklab(lab)
    return f


def light(amount=0):
    def f(lab):
        return lab * (1 + 0.9 * amount * (1 - np.clip(lab[:, :1], 0, 1)) ** 3)
    return in_oklab(f)


LOOKS = {
    "mono": [("blackAndWhite", dict(red=0.35, green=0.5, blue=0.15)),
             ("contrast", dict(amount=0.15))],
    "tonal": [("blackAndWhite", dict(red=0.25, green=0.6, blue=0.15)),
              ("light", dict(amount=0.35)), ("blacks", dict(amount=0.35))],
    "noir": [("blackAndWhite", dict(red=0.6, green=0.35, blue=0.05)),
             ("contrast", dict(amount=0.5)), ("blacks", dict(amount=-0.3)),
             ("whites", dict(amount=0.2))],
    "fade": [("saturation", dict(amount=-0.3)), ("contrast", dict(amount=-0.15)),
             ("splitTone", dict(shadowsHue=220, shadowsSaturation=0.15, highlightsHue=45,
                                highlightsSaturation=0.12)), ("blacks", dict(amount=0.7))],
    "chrome": [("vibrance", dict(amount=0.35)), ("saturation", dict(amount=0.1)),
               ("contrast", dict(amount=0.3)), ("whites", dict(amount=0.15))],
    "process": [("contrast", dict(amount=0.2)),
                ("colourBalance", dict(shadowsHue=220, shadowsStrength=0.3, midtonesHue=165,
                                       midtonesStrength=0.15, highlightsHue=60,
                                       highlightsStrength=0.3))],
    "transfer": [("saturation", dict(amount=-0.1)),
                 ("colourBalance", dict(shadowsHue=350, shadowsStrength=0.2, midtonesHue=30,
                                        midtonesStrength=0.2, highlightsHue=45,
                                        highlightsStrength=0.25)), ("blacks", dict(amount=0.25))],
    "instant": [("saturation", dict(amount=-0.25)),
                ("splitTone", dict(shadowsHue=200, shadowsSaturation=0.35, highlightsHue=45,
                                   highlightsSaturation=0.45)),
                ("blacks", dict(amount=0.5)), ("whites", dict(amount=-0.3))],
}


def look(name="chrome", intensity=1):
    def f(p):
        out = p
        for step, settings in LOOKS[name]:
            out = globals()[step](**settings)(out)
        return p + intensity * (out - p)
    return f


def vignette(intensity=0, radius=0.5, falloff=0.7):
    """On a chart that is one pixel high."""
    def f(c):
        x = (np.arange(len(c)) + 0.5) / len(c)
        inner = radius * (1 - falloff)
        outer = max(inner + 0.0001, radius + (1 - radius) * falloff)
        distance = np.abs(x - 0.5) / np.hypot(0.5, 0.5)
        return c * (1 + intensity * smoothstep((distance - inner) / (outer - inner)))[:, None]
    return in_light(f)


CASES = [
    ("exposure", dict(stops=0.7)), ("exposure", dict(stops=-3)), ("brightness", dict(amount=0.2)),
    ("brightness", dict(amount=-0.6)), ("contrast", dict(amount=0.4)),
    ("contrast", dict(amount=1)), ("contrast", dict(amount=-0.5)), ("contrast", dict(amount=-1)), ("gamma", dict(gamma=2.2)),
    ("gamma", dict(gamma=0.45)), ("invert", {}),
    ("levels", dict(black=0.08, white=0.93, gamma=1.3)),
    ("levels", dict(black=0.3, gamma=0.6, outBlack=0.2, outWhite=0.75, channel="red")),
    ("curves", dict(rgb=[[0, 0], [0.25, 0.18], [0.75, 0.86], [1, 1]])),
    ("curves", dict(rgb=[[0, 0.1], [0.3, 0.6], [0.5, 0.6], [0.8, 0.3], [1, 0.95]])),
    ("curves", dict(red=[[0, 0], [0.5, 0.62], [1, 1]], green=[[0, 1], [1, 0]],
                    blue=[[0, 0.05], [0.1, 0.1], [0.6, 0.9], [1, 0.92]])),
    ("curves", dict(rgb=[[0, 0], [0.02, 0.3], [0.9, 0.31], [1, 1]],
                    blue=[[0, 0], [0.4, 0.2], [1, 1]])),
    ("vignette", dict(intensity=-0.7)), ("vignette", dict(intensity=0.8, radius=0.2, falloff=0.3)),
    ("whites", dict(amount=0.3)), ("whites", dict(amount=1)), ("whites", dict(amount=-0.5)),
    ("whites", dict(amount=-1)), ("blacks", dict(amount=0.4)), ("blacks", dict(amount=1)),
    ("blacks", dict(amount=-0.6)), ("blacks", dict(amount=-1)), ("light", dict(amount=0.5)),
    ("light", dict(amount=1)), ("light", dict(amount=-1)), ("solarize", {}),
    ("solarize", dict(threshold=0.8)), ("solarize", dict(threshold=0.1)), ("posterize", {}),
    ("posterize", dict(levels=2)), ("posterize", dict(levels=23)), ("threshold", {}),
    ("threshold", dict(level=0.2)), ("blackAndWhite", {}),
    ("blackAndWhite", dict(intensity=0.6, red=1.5, green=0.2, blue=-0.7)), ("sepia", {}),
    ("sepia", dict(intensity=0.4)), ("saturation", dict(amount=-1)),
    ("saturation", dict(amount=0.4)), ("saturation", dict(amount=1)),
    ("vibrance", dict(amount=0.7)), ("vibrance", dict(amount=-1)), ("hue", dict(angle=33)),
    ("hue", dict(angle=-150)),
    ("hsl", dict(redHue=1, greenSaturation=0.5, blueLuminance=-0.4)),
    ("hsl", dict(redHue=-0.6, orangeHue=-1, yellowHue=0.3, greenHue=0.9, aquaHue=-0.8, blueHue=0.7,
                 purpleHue=-1, magentaHue=0.5)),
    ("hsl", dict(redHue=1, orangeHue=-1, magentaHue=1, blueHue=1, purpleHue=-0.2)),
    ("hsl", dict(redSaturation=-1, orangeSaturation=0.3, yellowSaturation=-0.5,
                 aquaSaturation=1, purpleSaturation=-0.3, magentaSaturation=0.8)),
    ("hsl", dict(redLuminance=0.5, orangeLuminance=-0.5, yellowLuminance=-1, greenLuminance=0.3,
                 aquaLuminance=-0.2, purpleLuminance=1, magentaLuminance=-0.3)),
    ("splitTone", dict(shadowsHue=220, shadowsSaturation=0.4, highlightsHue=45,
                       highlightsSaturation=0.3)),
    ("splitTone", dict(shadowsHue=135, shadowsSaturation=1, highlightsHue=360,
                       highlightsSaturation=1, balance=-0.7)),
    ("splitTone", dict(highlightsHue=300, highlightsSaturation=0.6, balance=1)),
    ("colourGrading", dict(shadowsHue=215, shadowsChroma=0.6, shadowsLuminance=-0.3,
                           midtonesLuminance=0.2, highlightsHue=40, highlightsChroma=0.5)),
    ("colourGrading", dict(midtonesHue=120, midtonesChroma=0.7, globalHue=300, globalChroma=0.3,
                           globalLuminance=0.4, balance=0.6, blending=0.2)),
    ("cdl", dict(slopeRed=1.15, slopeGreen=1.05, slopeBlue=0.9, offsetRed=-0.04, offsetGreen=-0.02,
                 offsetBlue=0.03, powerGreen=1.02, powerBlue=1.1, saturation=0.9)),
    ("cdl", dict(slopeRed=0.8, offsetGreen=0.1, powerBlue=0.7, saturation=1.4, space="linear")),
    ("colourBalance", dict(shadowsHue=230, shadowsStrength=0.4, midtonesHue=100,
                           midtonesStrength=0.3, highlightsHue=40, highlightsStrength=0.5)),
    ("colourBalance", dict(shadowsLevel=-0.5, midtonesLevel=0.4, highlightsLevel=0.2)),
    ("colourBalance", dict(shadowsHue=10, shadowsStrength=1, shadowsLevel=0.3, midtonesHue=275,
                           midtonesStrength=0.8, midtonesLevel=-0.6, highlightsLevel=-0.8)),
    ("channelMixer", dict(redRed=0.6, redGreen=0.5, redBlue=-0.2, blueConstant=0.05)),
    ("channelMixer", dict(redRed=0.2, redGreen=1.4, greenBlue=0.5, greenRed=-0.3, blueRed=0.8,
                          preserveLuminosity=True)),
    ("matrix", dict(rows=[[0.8, 0.3, -0.1], [0.05, 0.9, 0.05], [-0.2, 0.1, 1.2]])),
    ("matrix", dict(rows=[[0.5, 0.2, 0.1, 0.1], [-0.4, 1.1, 0.2, 0], [0, 0.9, 0.3, -0.15]],
                    values="encoded")),
    ("duotone", {}), ("duotone", dict(shadows="#001040", highlights="#ffd000", contrast=0.6)),
    ("duotone", dict(shadows="#ffffff", highlights="#a00030", contrast=-1)),
    ("tint", dict(strength=0.5)), ("tint", dict(colour="#3060ff", strength=1)),
    ("tint", dict(colour="#20c050", strength=0.2)),
] + [("falseColour", dict(palette=name)) for name in PALETTES] \
  + [("look", dict(name=name)) for name in LOOKS] + [("look", dict(name="noir", intensity=0.4))]


def each(key, *amounts):
    """A setting of all eight colours, by turns."""
    return {name + key: amounts[i % len(amounts)] for i, name in enumerate(HUES)}


# Settings at the ends of their ranges, where what is small at other settings is not.
FULL = [
    ("exposure", dict(stops=10)), ("exposure", dict(stops=-10)), ("brightness", dict(amount=1)),
    ("brightness", dict(amount=-1)), ("gamma", dict(gamma=10)), ("gamma", dict(gamma=0.1)),
    ("levels", dict(black=0.5, white=0.501)), ("levels", dict(gamma=10, outBlack=1, outWhite=0)),
    ("levels", dict(black=0.999, gamma=0.1)),
    ("curves", dict(rgb=[[0, 0], [0.001, 1], [1, 0]])),
    ("curves", dict(rgb=[[0, 0], [0.5, 0], [0.501, 1], [1, 1]], red=[[0.4, 1], [0.6, 0]])),
    ("curves", dict(lightness=[[0, 0.1], [0.5, 0.7], [1, 0.9]])),
    ("curves", dict(lightness=[[0, 0], [0.05, 0.4], [0.6, 0.4], [1, 1]],
                    green=[[0, 0], [0.5, 0.4], [1, 1]])),
    ("curves", dict(lightness=[[0, 1], [1, 0]])),
    ("levels", dict(outShadow=0.15, outHighlight=0.85)),
    ("levels", dict(black=0.1, white=0.8, gamma=1.5, shadow=0.1, outShadow=0.5, middle=0.6,
                    outMiddle=0.2, highlight=0.9, outHighlight=1, outBlack=0.1)),
    ("selectiveColour", dict(colour="#3c8c3c", hue=0.7, saturation=0.4, luminance=-0.3)),
    ("selectiveColour", dict(hue=-1, saturation=1, spread=0)),
    ("selectiveColour", dict(colour="#ffff00", luminance=1, spread=2)),
    ("selectiveColour", dict(colour="#0000ff", saturation=-1, luminance=-1, spread=2)),
    ("vignette", dict(intensity=-1, radius=0, falloff=1)),
    ("vignette", dict(intensity=1, radius=1, falloff=1)),
    ("vignette", dict(intensity=1, radius=0.3, falloff=0)),
    ("solarize", dict(threshold=0.01)), ("solarize", dict(threshold=0.99)),
    ("posterize", dict(levels=64)), ("threshold", dict(level=0)), ("threshold", dict(level=1)),
    ("blackAndWhite", dict(red=3, green=3, blue=-2)), ("blackAndWhite", dict(red=-2, green=3)),
    ("blackAndWhite", dict(hue=30, strength=0.8)), ("blackAndWhite", dict(hue=240, strength=1)),
    ("blackAndWhite", dict(neutral=0.5, tone=0.4)),
    ("blackAndWhite", dict(neutral=-1, tone=-1, intensity=0.6)),
    ("blackAndWhite", dict(hue=120, strength=1, neutral=1, tone=1, red=0.5)),
    ("vibrance", dict(amount=1)), ("hue", dict(angle=180)), ("hue", dict(angle=-90)),
    ("hsl", dict(greenLuminance=1)), ("hsl", dict(yellowLuminance=1)),
    ("hsl", dict(greenHue=-1)), ("hsl", dict(yellowHue=-1)), ("hsl", dict(blueSaturation=1)),
    ("hsl", each("Hue", 1)), ("hsl", each("Hue", -1)), ("hsl", each("Hue", 1, -1)),
    ("hsl", each("Saturation", 1)), ("hsl", each("Saturation", -1, 1)),
    ("hsl", each("Luminance", 1)), ("hsl", each("Luminance", -1)),
    ("hsl", each("Luminance", 1, -1)),
    ("hsl", {**each("Hue", 1, 1, -1), **each("Saturation", 1), **each("Luminance", 1, -1)}),
    ("hsl", {**each("Hue", -1), **each("Saturation", -1, 0, 1), **each("Luminance", -1)}),
    ("splitTone", dict(shadowsHue=265, shadowsSaturation=1, highlightsHue=110,
                       highlightsSaturation=1, balance=1)),
    ("splitTone", dict(shadowsHue=30, shadowsSaturation=1, balance=-1)),
    ("colourGrading", dict(shadowsLuminance=1, midtonesLuminance=-1, highlightsLuminance=1,
                           globalLuminance=1, balance=-1, blending=1)),
    ("colourGrading", dict(shadowsHue=30, shadowsChroma=1, midtonesHue=200, midtonesChroma=1,
                           highlightsHue=290, highlightsChroma=1, globalHue=90, globalChroma=1,
                           globalLuminance=-1, balance=1, blending=0)),
    ("cdl", dict(slopeRed=10, offsetRed=-1, powerRed=0.1, slopeGreen=0, offsetGreen=1, powerGreen=10,
                 powerBlue=3, saturation=4)),
    ("cdl", dict(offsetRed=-1, offsetBlue=1, powerBlue=5, saturation=0)),
    ("colourBalance", dict(shadowsLevel=1, midtonesLevel=1, highlightsLevel=1)),
    ("colourBalance", dict(shadowsLevel=-1, midtonesLevel=-1, highlightsLevel=-1)),
    ("colourBalance", dict(shadowsHue=240, shadowsStrength=1, midtonesHue=60, midtonesStrength=1,
                           highlightsHue=300, highlightsStrength=1)),
    ("channelMixer", dict(redRed=2, redGreen=2, redBlue=-2, greenRed=-2, greenGreen=2, greenBlue=2,
                          blueRed=2, blueGreen=-2, blueBlue=2, blueConstant=1, redConstant=-1)),
    ("matrix", dict(rows=[[4, -4, 4, -1], [-4, 4, 4, 1], [4, 4, -4, 0]])),
    ("duotone", dict(shadows="#0000ff", highlights="#ffff00", contrast=1)),
    ("tint", dict(colour="#0000ff", strength=1)), ("tint", dict(colour="#ffff00", strength=1)),
]


def chart():
    """A cube, greys, the darkest greys and random colours, as levels of 255."""
    steps = [0, 85, 170, 255]
    cube = [(r, g, b) for r in steps for g in steps for b in steps]
    greys = [(v, v, v) for v in [1, 2, 3, 5, 8, *range(15, 255, 20)]]
    return np.array(cube + greys + np.random.default_rng(5).integers(0, 256, (31, 3)).tolist())


def words(f, pixels):
    """The results as 16-bit words; where a millionth more or less is another level, the lowest and
    the highest of them."""
    exact, *moved = [np.round(np.clip(f(pixels + step), 0, 1) * 65535).astype(int)
                     for step in (0, 2e-6, -2e-6)]
    low, high = np.minimum(exact, np.minimum(*moved)), np.maximum(exact, np.maximum(*moved))
    return " ".join(hexadecimals(a) + hexadecimals(b) if (b - a).max() > 1 else hexadecimals(x)
                    for x, a, b in zip(exact, low, high))


def hexadecimals(row):
    return "%04x%04x%04x" % tuple(row)


def main():
    levels = chart()
    pixels = levels / 255
    path = pathlib.Path(__file__).parent / "point-filters.txt"
    with open(path, "w") as out:
        out.write("# From point-formulas.py: the chart; then a step, its results, and its results\n"
                  "# of values spread over -0.5...1.5 and brought back by a quarter.\n")
        out.write("".join("%02x%02x%02x" % tuple(row) for row in levels) + "\n")
        for name, settings in CASES + FULL:
            f = globals()[name](**settings)
            out.write(json.dumps({"filter": name, **settings}) + "\n")
            out.write(words(f, pixels) + "\n")
            out.write(words(lambda p: f(2 * p - 0.5) / 4 + 0.375, pixels) + "\n")


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
