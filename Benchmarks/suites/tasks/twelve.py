"""Twelve point adjustments and a sharpening at full size, in two recipes."""
from harness.race import Limit, Race, Result
from peers import darktable as dt
from peers import libvips, phbatch
from peers.rawtherapee import curve, rawtherapee

# The same codecs as phbatch has: what is above it is the cost of the edit.
BARE = "pyvips 8.14, decode and encode only"
STEPS = "pyvips 8.18, step by step"
CONTRAST = [(0, 0), (0.25, 0.21), (0.75, 0.8), (1, 1)]
RED, BLUE = [(0, 0), (0.5, 0.52), (1, 1)], [(0, 0.02), (1, 0.98)]


def folding(setting):
    modules = [
        dt.exposure(0.3), dt.white_balance(0.99, 1, 1.09), dt.vignette(-0.3),
        dt.levels(0.02, 0.49, 0.98), CURVES_MODULE, dt.contrast_brightness(0.1, 0.02),
        SEPIA_MODULE, dt.sharpen(0.8, 0.5)]
    return race(
        setting, "folding", "in six instructions", "twelve-folding.json", 6, 2.0,
        modules, TOOLS)


def staying(setting):
    modules = [
        dt.exposure(0.3), dt.white_balance(0.99, 1, 1.09), dt.colour_balance(3, 0.1, 0.2),
        dt.vignette(-0.3), dt.levels(0.02, 0.5, 0.98), CURVES_MODULE,
        dt.contrast_brightness(0.1, 0.02), SEPIA_MODULE, dt.sharpen(0.8, 0.5)]
    tools = {
        **TOOLS,
        "Vibrance": {"Enabled": "true", "Pastels": 20, "Saturated": 10},
        "HSV Equalizer": {"Enabled": "true", "HCurve": "1;0;0.51;0;0;0.5;0.51;0;0;"}}
    tools["Exposure"] = {**TOOLS["Exposure"], "Saturation": 10}
    return race(
        setting, "staying", "in twelve instructions, with OKLab", "twelve-staying.json",
        12, 2.6, modules, tools)


# The curves of all channels and of each, one after the other, at five points.
CURVES_MODULE = dt.curves(
    [(0, 0), (0.25, 0.22), (0.5, 0.53), (0.75, 0.81), (1, 1)],
    [(0, 0), (0.25, 0.21), (0.5, 0.51), (0.75, 0.8), (1, 1)],
    [(0, 0.02), (0.25, 0.22), (0.5, 0.51), (0.75, 0.79), (1, 0.98)])
SEPIA_MODULE = dt.colour_mixer(
    (0.9697, 0.0385, 0.0095), (0.0175, 0.9843, 0.0084), (0.0136, 0.0267, 0.9566))
TOOLS = {
    "Exposure": {
        "Auto": "false", "Clip": 0, "Compensation": 0.3, "Brightness": 2, "Contrast": 10,
        "Saturation": 0, "Black": 20, "HighlightCompr": 0, "ShadowCompr": 0,
        "HistogramMatching": "false", "CurveMode": "Standard", "Curve": curve(CONTRAST)},
    "White Balance": {
        "Enabled": "true", "Setting": "Custom", "Temperature": 6000, "Green": 1.01},
    "Channel Mixer": {
        "Enabled": "true", "Red": "970;38;10;", "Green": "17;984;8;", "Blue": "14;27;957;"},
    "RGB Curves": {
        "Enabled": "true", "LumaMode": "false", "rCurve": curve(RED), "bCurve": curve(BLUE)},
    "PCVignette": {"Enabled": "true", "Strength": 0.6, "Feather": 50, "Roundness": 50},
    "Sharpening": {
        "Enabled": "true", "Contrast": 0, "Method": "usm", "Radius": 0.8, "Amount": 50,
        "OnlyEdges": "false", "HalocontrolEnabled": "false"},
}


def race(setting, name, what, file, instructions, bound, modules, tools):
    recipe = phbatch.RECIPES / file
    found = phbatch.instructions(recipe)
    programs = [
        phbatch.running(recipe),
        libvips.pyvips("8.14", "codec", name=BARE),
        libvips.pyvips(
            "8.18", "steps", recipe, name=STEPS,
            note="each step in libvips' operations: tones as tables of 16 bits, light in scRGB"),
        libvips.pyvips(
            "8.18", "folded", recipe, name="pyvips 8.18, folded by hand",
            note="neighbouring tables are one table, neighbouring matrices one matrix"),
        libvips.pyvips(
            "8.14", "steps", recipe, name="pyvips 8.14, step by step",
            note="as 8.18, with CIELAB in place of OKLab"),
        dt.darktable(modules, 90, setting.work),
        rawtherapee(tools, 90, setting.work),
    ]
    limits = [
        Limit("phbatch, of the time of decode and encode", "phbatch", BARE, bound),
        Limit("libvips' operations (8.18), of phbatch's time", STEPS, "phbatch", 6, True),
        Limit("darktable-cli, of phbatch's time", "darktable-cli", "phbatch", 10, True),
        Limit("rawtherapee-cli, of phbatch's time", "rawtherapee-cli", "phbatch", 15, True),
    ]
    notes = [f"The recipe, `recipes/{file}`, is {found} instructions after folding."]
    if (found > instructions) if name == "folding" else (found < instructions):
        notes.append(f"NOT the {instructions} instructions that the limit is meant for.")
    return Race(
        name=name, title=f"Twelve adjustments {what}, and a sharpening, full size",
        programs=programs, result=Result(), limits=limits, notes=notes)
