"""Writes colour-science.txt and splines.txt: what colour is computed from, by independent programs.

Run: pip install colour-science==0.4.7 scipy && python3 Tests/Oracles/colour-science-tables.py
"""
import pathlib, warnings
warnings.filterwarnings("ignore")
import colour
import numpy as np
from scipy.interpolate import PchipInterpolator

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(9)
srgb = colour.RGB_COLOURSPACES["sRGB"]
observer = colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"].copy().align(
    colour.SpectralShape(380, 780, 1))
equal = colour.sd_ones(observer.shape)
lines = ["# name and numbers; see colour-science-tables.py"]


def line(name, *values):
    lines.append(name + " " + " ".join(f"{v:.12g}" for v in np.ravel(np.concatenate(
        [np.ravel(value) for value in values]))))


spaces = {"srgb": "sRGB", "display-p3": "Display P3", "adobe-rgb": "Adobe RGB (1998)",
          "prophoto": "ROMM RGB"}
for name, title in spaces.items():
    space = colour.RGB_COLOURSPACES[title]
    line(f"matrix.{name}", colour.normalised_primary_matrix(space.primaries, space.whitepoint))
    # Encoded from 0 to 1 and the light of each.
    for value in [0, 0.001, 0.01, 0.03, 0.04, 0.0405, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1]:
        line(f"light.{name}", value, space.cctf_decoding(value))

# Linear light of sRGB, and the same in the spaces of lookup tables and colour decisions.
models = colour.models
gradings = {
    "linear": ("sRGB", lambda v: v), "rec709": ("ITU-R BT.709", models.oetf_BT709),
    "bt1886": ("ITU-R BT.709", lambda v: v ** (1 / 2.4)),
    "displayP3": ("Display P3", models.eotf_inverse_sRGB),
    "rec2020": ("ITU-R BT.2020", models.oetf_BT709), "acescct": ("ACEScg", models.log_encoding_ACEScct),
    "logC3": ("ARRI Wide Gamut 3", models.log_encoding_ARRILogC3),
    "logC4": ("ARRI Wide Gamut 4", models.log_encoding_ARRILogC4),
    "sLog3": ("S-Gamut3", models.log_encoding_SLog3),
    "sLog3Cine": ("S-Gamut3.Cine", models.log_encoding_SLog3),
    "vLog": ("V-Gamut", models.log_encoding_VLog), "nLog": ("N-Gamut", models.log_encoding_NLog)}
colours = np.vstack([np.repeat([[0], [0.001], [0.01], [0.18], [0.9], [1], [4]], 3, axis=1), np.eye(3),
                     1 - np.eye(3), np.random.default_rng(3).uniform(0, 1.5, (12, 3))])
for name, (title, encode) in gradings.items():
    space = colour.RGB_COLOURSPACES[title]
    adapt = colour.adaptation.matrix_chromatic_adaptation_VonKries(
        colour.xy_to_XYZ(srgb.whitepoint), colour.xy_to_XYZ(space.whitepoint), "Bradford")
    to = np.linalg.inv(colour.normalised_primary_matrix(space.primaries, space.whitepoint))
    to = to @ adapt @ colour.normalised_primary_matrix(srgb.primaries, srgb.whitepoint)
    for rgb in colours:
        inside = to @ rgb
        if inside.min() > -1e-9:
            line(f"space.{name}", rgb, encode(np.maximum(0, inside)))

whites = {"D65": (0.3127, 0.3290), "D50": (0.3457, 0.3585), "A": (0.44758, 0.40745),
          "F2": (0.37208, 0.37529)}
for source in whites:
    for target in whites:
        line("adaptation", *(whites[w] for w in (source, target)),
             colour.adaptation.matrix_chromatic_adaptation_VonKries(
                 colour.xy_to_XYZ(whites[source]), colour.xy_to_XYZ(whites[target]), "Bradford"))


def locus(kelvin):
    xyz = colour.sd_to_XYZ(
        colour.sd_blackbody(kelvin, observer.shape), observer, equal, method="Integration")
    return np.array(colour.models.UCS_to_uv(colour.XYZ_to_UCS(xyz / xyz[1])))


def white(kelvin, tint):
    """XYZ of the black body, moved by tint/3000 across the locus, up for a positive tint."""
    along = locus(kelvin + 1) - locus(kelvin - 1)
    across = np.array([along[1], -along[0]]) / np.hypot(*along)
    x, y = colour.models.UCS_uv_to_xy(locus(kelvin) + across * tint / 3000)
    return colour.xy_to_XYZ((x, y))


for kelvin in (1000, 1500, 2000, 2856, 4000, 5003, 6500, 6504, 9300, 15000, 32000):
    for tint in (-150, -40, 0, 10, 150) if kelvin > 1500 else (0,):
        light = white(kelvin, tint)
        line("illuminant", [kelvin, tint], light)
        adapt = colour.adaptation.matrix_chromatic_adaptation_VonKries(
            light, white(6500, 0), transform="Bradford")
        line("whiteBalance", [kelvin, tint],
             srgb.matrix_XYZ_to_RGB @ adapt @ srgb.matrix_RGB_to_XYZ)

for rgb in np.vstack([np.eye(3), 1 - np.eye(3), [[0, 0, 0], [1, 1, 1], [0.18, 0.18, 0.18]],
                      rng.uniform(0, 1, (40, 3))]):
    xyz = colour.RGB_to_XYZ(rgb, srgb, apply_cctf_decoding=True)
    line("oklab", rgb, colour.XYZ_to_Oklab(xyz))
# The colour checker's reflectances under lights, for a camera that takes all light for D65; white
# has the luminance 0.5. Levels of 255.
checker = colour.SDS_COLOURCHECKERS["BabelColor Average"]
shape = colour.SpectralShape(380, 730, 10)
cmfs = observer.copy().align(shape)


def daylight(kelvin):
    return colour.sd_CIE_illuminant_D_series(colour.CCT_to_xy(kelvin, "CIE Illuminant D Series"))


lights = {
    "D65": colour.SDS_ILLUMINANTS["D65"], "A": colour.SDS_ILLUMINANTS["A"],
    "3500K": colour.sd_blackbody(3500, shape), "4500K": colour.sd_blackbody(4500, shape),
    "D50": colour.SDS_ILLUMINANTS["D50"], "D75": colour.SDS_ILLUMINANTS["D75"],
    "D100": daylight(10_000), "FL2": colour.SDS_ILLUMINANTS["FL2"],
    "LED-B3": colour.SDS_ILLUMINANTS["LED-B3"]}
for name, light in lights.items():
    light = light.copy().align(shape)
    patches = np.array([colour.sd_to_XYZ(patch.copy().align(shape), cmfs, light,
                                         method="Integration") / 100
                        for patch in checker.values()])
    rgb = np.clip(patches / patches[18, 1] * 0.5 @ srgb.matrix_XYZ_to_RGB.T, 0, 1)
    line(f"checker.{name}", np.round(255 * colour.models.eotf_inverse_sRGB(rgb), 3))
(here / "colour-science.txt").write_text("\n".join(lines) + "\n")

lines = ["# spline: number of points, x y of each, then x and y of places between; by scipy"]
for count in [2, 2, 3, 3, 4, 5, 8, 12, 20] * 4:
    x = np.sort(rng.choice(1001, count, replace=False)) / 1000
    y = rng.uniform(0, 1, count) if rng.uniform() < 0.5 else np.sort(rng.uniform(0, 1, count))
    if count > 3 and rng.uniform() < 0.3:
        y[1] = y[2]
    spline = PchipInterpolator(x, y)
    at = np.sort(rng.uniform(x[0], x[-1], 12))
    line("spline", [count], np.column_stack([x, y]), np.column_stack([at, spline(at)]))
(here / "splines.txt").write_text("\n".join(lines) + "\n")
