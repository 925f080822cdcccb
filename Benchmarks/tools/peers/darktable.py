"""darktable-cli, with a history of modules in a sidecar that we write.

A module's settings are its C struct, of the version named, in hexadecimal. The structs stand in
darktable 4.2.1, `src/iop/NAME.c`, as `dt_iop_NAME_params_t`; darktable refuses others.
"""
import struct
import tempfile
from pathlib import Path
from typing import NamedTuple

from harness.program import Program


class Module(NamedTuple):
    operation: str
    version: int
    settings: bytes


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def integers(*values):
    return struct.pack(f"<{len(values)}i", *values)


def exposure(stops):
    manual, percentile, target = 0, 50, -4
    return Module(
        "exposure", 6, integers(manual) + floats(0, stops, percentile, target) + integers(0))


def white_balance(red, green, blue):
    return Module("temperature", 3, floats(red, green, blue, green))


def levels(black, grey, white):
    all_alike, keep_no_colours = 1, 0
    return Module(
        "rgblevels", 1, integers(all_alike, keep_no_colours) + floats(*[black, grey, white] * 3))


def curves(red, green, blue):
    most, hermite, independent = 20, 2, 1
    channels = [red, green, blue]
    nodes = [value for points in channels for point in points + [(0, 0)] * (most - len(points))
             for value in point]
    counts = [len(points) for points in channels]
    return Module(
        "rgbcurve", 1, floats(*nodes) + integers(*counts, *[hermite] * 3, independent, 0, 0))


def contrast_brightness(contrast, brightness):
    return Module("colisa", 1, floats(contrast, brightness, 0))


def colour_mixer(red, green, blue):
    """The older channel mixer: hue, saturation and lightness stay, three rows of factors."""
    # Seven outputs: hue, saturation, lightness, red, green, blue, grey.
    columns = zip(red, green, blue)
    mixes = [value for column in columns for value in (0, 0, 0, *column, 0)]
    return Module("channelmixer", 2, floats(*mixes) + integers(1))


def colour_balance(hue, saturation, vibrance):
    """Hue, saturation and vibrance, in a perceptual space, in one module."""
    named = {"shadows_weight": 1, "highlights_weight": 1, "saturation_global": saturation,
             "hue_angle": hue, "mask_grey_fulcrum": 0.1845, "vibrance": vibrance,
             "grey_fulcrum": 0.1845}
    order = [None] * 12 + ["shadows_weight", None, "highlights_weight"] + [None] * 4 + [
        "saturation_global"] + [None] * 3 + ["hue_angle"] + [None] * 4 + [
        "mask_grey_fulcrum", "vibrance", "grey_fulcrum", None]
    formula = 1
    return Module(
        "colorbalancergb", 5, floats(*[named.get(name, 0) for name in order]) + integers(formula))


def vignette(brightness):
    scale, falloff, saturation, centre, shape = 80, 50, 0, (0, 0), (1, 1)
    return Module(
        "vignette", 4, floats(scale, falloff, brightness, saturation, *centre) + integers(0)
        + floats(*shape) + integers(0, 1))


def sharpen(radius, amount):
    return Module("sharpen", 1, floats(radius, amount, 0))


def shadows_highlights(shadows, highlights):
    """Softened by the Gaussian, the default and the faster."""
    gaussian, unbound = 0, 127
    return Module(
        "shadhi", 5, integers(0) + floats(100, shadows, 0, highlights, 0, 50, 100, 50)
        + integers(unbound) + floats(1e-6) + integers(gaussian))


def local_contrast(detail):
    """The local Laplacian, as the module's preset `clarity` has it."""
    local_laplacian = 1
    return Module("bilat", 3, integers(local_laplacian) + floats(0.5, 0.5, detail, 0.5))


def denoise(strength):
    """Profiled denoising by wavelets, the faster of its methods; for a JPEG there is no profile."""
    wavelets, luma_and_chroma, bands, channels = 1, 1, 7, 6
    noise = [1e-4] * 3 + [1e-7] * 3
    across = [band / (bands - 1) for band in range(bands)] * channels
    force = [0.5] * bands * channels
    return Module(
        "denoiseprofile", 11, floats(1, 7, strength, 1, 0, 0, 0.1, 1, *noise) + integers(wavelets)
        + floats(*across, *force) + integers(1, 1, 1, luma_and_chroma))


# darktable's order of modules for JPEG files; in its order for raw files, `exposure` would multiply
# display-encoded values (src/common/iop_order.h, DT_IOP_ORDER_V30_JPG).
ORDER_OF_JPEG = 3


def sidecar(modules):
    """The XMP that names the modules, each once: they run in darktable's own order."""
    items = [
        f'<rdf:li darktable:num="{number}" darktable:operation="{module.operation}"'
        f' darktable:enabled="1" darktable:modversion="{module.version}"'
        f' darktable:params="{module.settings.hex()}" darktable:multi_name=""'
        ' darktable:multi_priority="0"/>'
        for number, module in enumerate(modules)]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"'
        f' darktable:xmp_version="5" darktable:iop_order_version="{ORDER_OF_JPEG}"'
        f' darktable:history_end="{len(modules)}"'
        ' darktable:auto_presets_applied="1"><darktable:history><rdf:Seq>'
        + "".join(items) +
        '</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>\n')


def darktable(modules, quality, work):
    """The command with these modules: two processes of one thread, or one of two."""
    history = Path(tempfile.mkdtemp(prefix="darktable-", dir=work)) / "history.xmp"
    history.write_text(sidecar(modules))

    def command(number, photos, out, threads):
        own = history.parent / f"process-{number}"
        imports = [word for photo in photos for word in ("--import", photo)]
        return ["darktable-cli", *imports, history, out, "--hq", "0", "--core",
                "--configdir", own / "config", "--cachedir", own / "cache", "--conf",
                "opencl=FALSE", "--conf", f"plugins/imageio/format/jpeg/quality={quality}",
                "-t", str(threads)]

    def processes(library, out):
        return [command(n, half, out, 1) for n, half in enumerate(library.halves)]

    def threads(library, out):
        return [command(2, [photo.path for photo in library.photos], out, 2)]

    rival = Program("one process of two threads", threads, {"OMP_NUM_THREADS": "2"})
    names = ", ".join(module.operation for module in modules)
    return Program("darktable-cli", processes, rival=rival, note=f"its modules {names}")
