"""What a script on a peer library does for one task: peers.py TASK OUT PHOTO…"""
import os, sys

task, out, photos = sys.argv[1], sys.argv[2], sys.argv[3:]
library, job = task.split("-")


def name(photo, suffix=""):
    return os.path.join(out, os.path.splitext(os.path.basename(photo))[0] + suffix + ".jpg")


if library == "pyvips":
    import pyvips

    pyvips.cache_set_max(0)
    for photo in photos:
        if job == "web":
            image = pyvips.Image.thumbnail(photo, 1600, height=1600, size="down")
            image.sharpen(sigma=0.6, x1=2, m2=1).jpegsave(name(photo), Q=80, optimize_coding=True, strip=True)
        elif job == "sizes":
            for edge in (2048, 1024, 512):
                image = pyvips.Image.thumbnail(photo, edge, height=edge, size="down")
                image.jpegsave(name(photo, f".{edge}"), Q=80, optimize_coding=True, strip=True)
        else:
            image = pyvips.Image.new_from_file(photo, access="sequential")
            light = image.colourspace("scrgb").linear([1.23 * 1.02, 1.23, 1.23 * 0.97], [0, 0, 0])
            lch = light.colourspace("lch")
            lch = lch * [1, 1.15, 1]
            x = pyvips.Image.xyz(image.width, image.height)
            centre = (x - [image.width / 2, image.height / 2]) / [image.width / 2, image.height / 2]
            distance = (centre * centre).bandmean().linear([1], [0])
            gain = distance.linear([-0.3], [1])
            edited = lch.copy(interpretation="lch").colourspace("scrgb") * gain
            edited = edited.copy(interpretation="scrgb").colourspace("srgb")
            levels = pyvips.Image.identity(bands=3)
            curve = (levels.linear(1 / 255, 0) * 6.2832).math("sin") * -9
            table = (levels + curve).cast("uchar")
            edited = edited.maplut(table).copy(interpretation="srgb")
            edited.sharpen(sigma=0.8).jpegsave(name(photo), Q=90, optimize_coding=True, strip=True)
else:
    from PIL import Image, ImageFilter

    for photo in photos:
        for edge in (1600,) if job == "web" else (2048, 1024, 512):
            image = Image.open(photo)
            image.draft("RGB", (edge, edge))
            image = image.convert("RGB")
            image.thumbnail((edge, edge), Image.LANCZOS)
            if job == "web":
                image = image.filter(ImageFilter.UnsharpMask(0.6, 40, 0))
            image.save(name(photo, f".{edge}"), quality=80, optimize=True)
