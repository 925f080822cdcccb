"""What a script on Pillow does: with-pillow.py codec|web|sizes OUT PHOTO…"""
import os
import sys

from PIL import Image, ImageFilter, ImageOps


def save(image, photo, out, quality, suffix=""):
    stem = os.path.splitext(os.path.basename(photo))[0]
    image.save(
        os.path.join(out, stem + suffix + ".jpg"), quality=quality, subsampling="4:2:0",
        optimize=True)


def reduced(photo, edge):
    """The photo within a square; its decoder reduces it as far as it can first."""
    image = Image.open(photo)
    image.draft("RGB", (edge, edge))
    image.thumbnail((edge, edge), Image.Resampling.LANCZOS)
    return ImageOps.exif_transpose(image)


job, out, *photos = sys.argv[1:]
for photo in photos:
    if job == "codec":
        save(ImageOps.exif_transpose(Image.open(photo)), photo, out, 90)
    elif job == "web":
        save(reduced(photo, 1600).filter(ImageFilter.UnsharpMask(0.6, 40, 0)), photo, out, 80)
    else:
        for edge in (2048, 1024, 512):
            save(reduced(photo, edge), photo, out, 80, f"-{edge}")
