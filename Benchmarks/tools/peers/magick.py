"""ImageMagick and GraphicsMagick; file names have no folder, or one would put it below its own."""
from harness.program import Program


def both(*options, edge=None):
    """The two with the same options; with an edge, their decoders may reduce the photo to it."""
    options = [*options, "-sampling-factor", "4:2:0"]
    hint = [] if edge is None else ["-define", f"jpeg:size={edge}x{edge}"]
    graphics_hint = [] if edge is None else ["-size", f"{edge}x{edge}"]

    def image_magick(library, out):
        return [["mogrify", "-path", out, *hint, "-auto-orient", *options, *names(half)]
                for half in library.halves]

    def graphics_magick(library, out):
        return [["gm", "mogrify", "-output-directory", out, *graphics_hint, "-auto-orient",
                 *options, *names(half)] for half in library.halves]
    return [Program("GraphicsMagick", graphics_magick), Program("ImageMagick", image_magick)]


def names(photos):
    return [photo.name for photo in photos]
