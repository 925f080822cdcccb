"""Writes white-balance.txt, skin-tone.txt and oklab.txt, the tables that the point filters are compared with.

Run: pip install colour-science==0.4.7 && python3 Tests/Oracles/colour-tables.py
"""
import pathlib, warnings
warnings.filterwarnings("ignore")
import colour
import numpy as np

here = pathlib.Path(__file__).parent
srgb = colour.RGB_COLOURSPACES["sRGB"]
observer = colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"].copy().align(
    colour.SpectralShape(380, 780, 1))
equal = colour.sd_ones(observer.shape)


def locus(kelvin):
    xyz = colour.sd_to_XYZ(
        colour.sd_blackbody(kelvin, observer.shape), observer, equal, method="Integration")
    return np.array(colour.models.UCS_to_uv(colour.XYZ_to_UCS(xyz / xyz[1])))


def white(kelvin, tint):
    """XYZ of the black body, moved by tint/3000 across the locus, up for a positive tint."""
    along = locus(kelvin + 1) - locus(kelvin - 1)
    across = np.array([along[1], -along[0]]) / np.hypot(*along)
    if across[1] < 0:
        across = -across
    x, y = colour.models.UCS_uv_to_xy(locus(kelvin) + across * tint / 3000)
    return colour.xy_to_XYZ((x, y))


def purity(lab):
    """How far from grey to the edge of sRGB a colour is."""
    light = srgb.matrix_XYZ_to_RGB @ colour.Oklab_to_XYZ(lab)
    high, low, grey = max(light), min(light), lab[0] ** 3
    return np.clip(max((high - grey) / (1 - grey), (grey - low) / grey), 0, 1)


rng = np.random.default_rng(1)
with open(here / "white-balance.txt", "w") as out:
    out.write("# kelvin tint, display-encoded sRGB in, out (colour-science, Bradford, 1 nm)\n")
    for kelvin, tint in [(2000, 0), (2856, 0), (4000, 30), (5000, 0), (5600, 4), (6500, -60),
                         (6500, 90), (7500, -10), (10000, 0), (15000, 25), (25000, -40)]:
        adapt = colour.adaptation.matrix_chromatic_adaptation_VonKries(
            white(kelvin, tint), white(6500, 0), transform="Bradford")
        for rgb in [[0.5, 0.5, 0.5], [0.8, 0.6, 0.5]] + rng.uniform(0.1, 0.9, (4, 3)).tolist():
            light = colour.models.eotf_sRGB(np.array(rgb))
            moved = srgb.matrix_XYZ_to_RGB @ adapt @ srgb.matrix_RGB_to_XYZ @ light
            result = np.sign(moved) * colour.models.eotf_inverse_sRGB(np.abs(moved))
            values = " ".join(f"{v:.6f}" for v in [*rgb, *result])
            out.write(f"{kelvin} {tint} {values}\n")

with open(here / "oklab.txt", "w") as out:
    out.write("# filter amount, display-encoded sRGB in, out (colour-science's Oklab)\n")
    for name, amount in [("saturation", -1), ("saturation", -0.4), ("saturation", 0.5),
                         ("vibrance", -0.7), ("vibrance", 0.8), ("hue", -120), ("hue", 25),
                         ("hue", 180)]:
        for rgb in rng.uniform(0.15, 0.85, (8, 3)).tolist():
            light = colour.models.eotf_sRGB(np.array(rgb))
            lab = colour.XYZ_to_Oklab(srgb.matrix_RGB_to_XYZ @ light)
            if name == "hue":
                turn = complex(lab[1], lab[2]) * np.exp(1j * np.radians(amount))
                lab = np.array([lab[0], turn.real, turn.imag])
            else:
                chroma = np.hypot(lab[1], lab[2])
                part = 1 if name == "saturation" else 1 - min(1, 4 * chroma)
                growth = amount * part
                if amount > 0 and name == "vibrance":
                    apart = np.cos(np.arctan2(lab[2], lab[1]) - np.radians(50))
                    ends = np.cos(np.radians([28, 10]))
                    t = np.clip((apart - ends[0]) / (ends[1] - ends[0]), 0, 1)
                    growth *= 1 - 0.7 * t * t * (3 - 2 * t)
                if amount > 0:
                    square = purity(lab) ** 2
                    growth *= (1 - square) / (1 + growth * square)
                lab = lab * [1, 1 + growth, 1 + growth]
            moved = srgb.matrix_XYZ_to_RGB @ colour.Oklab_to_XYZ(lab)
            result = np.sign(moved) * colour.models.eotf_inverse_sRGB(np.abs(moved))
            values = " ".join(f"{v:.6f}" for v in [*rgb, *result])
            out.write(f"{name} {amount} {values}\n")

d65 = np.array([0.3127, 0.3290])


def liked(lightness, warmth):
    """The XYZ of the skin that is liked."""
    chroma = 25 * min(1, lightness / 50) * (1 + 0.4 * warmth)
    return colour.Lab_to_XYZ(colour.models.LCHab_to_Lab([lightness, chroma, 48 + 8 * warmth]), d65)


def uv(xyz):
    return np.array(colour.models.UCS_to_uv(colour.XYZ_to_UCS(xyz)))


def chromas(light):
    """The (a, b) of OKLab."""
    return np.array(colour.XYZ_to_Oklab(srgb.matrix_RGB_to_XYZ @ light))[1:]


def likeness(light, skin, moved):
    """The part of the change that a colour gets: by its chroma along the skin's."""
    own, shift = chromas(skin), np.hypot(*(chromas(moved) - chromas(skin)))
    chroma = max(0.015, np.hypot(*own))
    width = max(0.7 * chroma, 2 * shift)
    t = (chromas(light) @ own / np.hypot(*own) - 0.8 * chroma + width) / width
    t = min(1, max(0, t))
    return t * t * (3 - 2 * t)


def adaptation(light, strength, warmth):
    """The matrix of linear light that gives a skin the liked colour."""
    found = srgb.matrix_RGB_to_XYZ @ light
    way = uv(liked(colour.XYZ_to_Lab(found, d65)[0], warmth)) - uv(found)
    way *= strength * min(1, 0.06 / np.hypot(*way))
    whites = [colour.xy_to_XYZ(colour.models.UCS_uv_to_xy(place))
              for place in (uv(found), uv(found) + way)]
    adapt = colour.adaptation.matrix_chromatic_adaptation_VonKries(*whites, transform="Bradford")
    adapt /= (adapt @ colour.xy_to_XYZ(d65))[1]
    return srgb.matrix_XYZ_to_RGB @ adapt @ srgb.matrix_RGB_to_XYZ


def left(light, skin, target):
    """The part of the way that is left to the liked colour: 1 for the skin, 0 beyond."""
    goal = colour.XYZ_to_Oklab(srgb.matrix_RGB_to_XYZ @ target)
    lab = colour.XYZ_to_Oklab(srgb.matrix_RGB_to_XYZ @ light)
    change, hue = chromas(target) - chromas(skin), np.arctan2(goal[2], goal[1])
    to_polar = np.array([[np.cos(hue), np.sin(hue)], [-np.sin(hue), np.cos(hue)]])
    weights = np.diag([0.25, 1])
    way, rest = to_polar @ change, to_polar @ (goal[1:] * lab[0] / goal[0] - lab[1:])
    return np.clip(rest @ weights @ way / (way @ weights @ way), 0, 1)


rng = np.random.default_rng(2)
with open(here / "skin-tone.txt", "w") as out:
    out.write("# skin #rrggbb, strength warmth, display-encoded sRGB in, out (colour-science, Bradford)\n")
    for skin, strength, warmth in [
            ("c29682", 1, 0), ("c29682", 0.5, 0), ("735244", 1, 0), ("8ea0b4", 0.7, 0.5),
            ("e8b060", 1, -1), ("e0c8d0", 0.5, 1), ("30201c", 1, 0.2), ("20c040", 1, 0)]:
        light = colour.models.eotf_sRGB(np.array([int(skin[k:k + 2], 16) / 255 for k in (0, 2, 4)]))
        matrix, plain = adaptation(light, strength, warmth), adaptation(light, strength, 0)
        target = adaptation(light, 1, warmth) @ light
        own = colour.models.eotf_inverse_sRGB(light)
        for rgb in [[0.5, 0.5, 0.5], [0.8, 0.6, 0.5], [0.7, 0.5, 0.3], own.tolist(),
                    *rng.uniform(0.1, 0.8, (3, 3)).tolist()]:
            before = colour.models.eotf_sRGB(np.array(rgb))
            part = likeness(before, light, plain @ light) * left(before, light, target)
            moved = (1 - part) * before + part * (matrix @ before)
            result = np.sign(moved) * colour.models.eotf_inverse_sRGB(np.abs(moved))
            values = " ".join(f"{v:.6f}" for v in [*rgb, *result])
            out.write(f"{skin} {strength} {warmth} {values}\n")
