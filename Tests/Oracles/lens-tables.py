"""Writes lenses.txt: what lensfun makes of positions and of brightness, with the lenses of lenses.xml.

Run: python3 Tests/Oracles/lens-tables.py, with liblensfun1 installed
"""
import ctypes
import pathlib

here = pathlib.Path(__file__).parent
lensfun = ctypes.CDLL("liblensfun.so.1")
for name in ["lf_db_new", "lf_db_find_cameras_ext", "lf_db_find_lenses_hd", "lf_modifier_new"]:
    getattr(lensfun, name).restype = ctypes.c_void_p
lensfun.lf_modifier_get_auto_scale.restype = ctypes.c_float

TCA, VIGNETTING, DISTORTION, SCALE = 1, 2, 8, 32
RECTILINEAR, FLOATS = 1, 3
RED_GREEN_BLUE = 4 | 5 << 4 | 6 << 8

database = ctypes.c_void_p(lensfun.lf_db_new())
assert lensfun.lf_db_load_file(database, str(here / "lenses.xml").encode()) == 0


def first(pointer):
    assert pointer
    return ctypes.c_void_p(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_void_p))[0])


CASES = [  # maker, camera, crop, lens, focal length, aperture, distance, width, height, flags, scale
    ("T100", 1.5, "Testar 18-55mm f/3.5-5.6 Q", 18, 3.5, 1000, 3000, 2000, "dvt", 0),
    ("T100", 1.5, "Testar 18-55mm f/3.5-5.6 Q", 21, 4.2, 20, 3000, 2000, "dvt", 0),
    ("T100", 1.5, "Testar 18-55mm f/3.5-5.6 Q", 30, 5, 1000, 2000, 3000, "dvt", 1.02),
    ("T100", 1.5, "Testar 18-55mm f/3.5-5.6 Q", 48, 7.1, 1000, 3000, 2000, "dt", 0),
    ("T100", 1.5, "Testar 18-55mm f/3.5-5.6 Q", 18, 3.5, 1000, 1500, 1500, "t", 0),
    ("T1", 1, "Testar 50mm f/1.8", 50, 1.8, 1000, 4256, 2832, "dvt", 0),
    ("T100", 1.5, "Testar 50mm f/1.8", 50, 1.8, 1000, 4256, 2832, "dvt", 0),
    ("T100", 1.5, "Testar 50mm f/1.8", 50, 1.8, 1000, 1920, 1080, "v", 1),
    ("T1", 1, "Otherfirm 10mm f/4 Shifted", 10, 4, 1000, 4000, 3000, "dv", 0.97),
    ("T1", 1, "Otherfirm 10mm f/4 Shifted", 10, 4, 1000, 3000, 4000, "dv", 0.97),
    ("Pocket 7", 5.62, "", 12, 4, 1000, 4416, 3312, "d", 0),
]
lines = ["# See lens-tables.py. A case is a line, then a line for each point: its pixel, the positions",
         "# of red, green and blue in the photo, and the gain of the photo's pixel there."]
for camera, crop, lens, focal, aperture, distance, width, height, flags, scale in CASES:
    found = first(lensfun.lf_db_find_cameras_ext(
        database, b"Testmaker Corporation", camera.encode(), 0))
    model = first(lensfun.lf_db_find_lenses_hd(database, found, None, lens.encode() or None, 0))
    wanted = sum({"d": DISTORTION, "v": VIGNETTING, "t": TCA}[flag] for flag in flags)
    modifier = ctypes.c_void_p(
        lensfun.lf_modifier_new(model, ctypes.c_float(crop), width, height))
    done = lensfun.lf_modifier_initialize(
        modifier, model, FLOATS, ctypes.c_float(focal), ctypes.c_float(aperture),
        ctypes.c_float(distance), ctypes.c_float(scale), RECTILINEAR, wanted | SCALE, 0)
    assert done & wanted == wanted, (camera, lens, done)
    # lensfun computes the automatic magnification before it adds the magnification itself.
    plain = ctypes.c_void_p(lensfun.lf_modifier_new(model, ctypes.c_float(crop), width, height))
    lensfun.lf_modifier_initialize(
        plain, model, FLOATS, ctypes.c_float(focal), ctypes.c_float(aperture),
        ctypes.c_float(distance), ctypes.c_float(1), RECTILINEAR, wanted, 0)
    automatic = lensfun.lf_modifier_get_auto_scale(plain, 0)
    lines.append(f"{camera} | {lens} | {flags} | {focal} {aperture} {distance} {width} {height}"
                 f" {scale} {automatic:.6f}")
    for row in range(5):
        for column in range(5):
            x, y = column * (width - 1) // 4, row * (height - 1) // 4
            places = (ctypes.c_float * 6)(*[x, y] * 3)
            lensfun.lf_modifier_apply_subpixel_geometry_distortion(
                modifier, ctypes.c_float(x), ctypes.c_float(y), 1, 1, places)
            light = (ctypes.c_float * 4)(0.25, 0.25, 0.25, 0)
            if "v" in flags:
                lensfun.lf_modifier_apply_color_modification(
                    modifier, light, ctypes.c_float(x), ctypes.c_float(y), 1, 1, RED_GREEN_BLUE, 16)
            numbers = " ".join(f"{place:.4f}" for place in places)
            lines.append(f"{x} {y} {numbers} {light[0] / 0.25:.6f}")
(here / "lenses.txt").write_text("\n".join(lines) + "\n")
