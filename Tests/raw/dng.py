"""Writes DNG files with a Bayer or X-Trans mosaic of known light."""
import fractions
import struct

import numpy

CELL = numpy.array([[0, 1], [1, 2]])
XTRANS = numpy.array([[1, 2, 1, 1, 0, 1], [0, 1, 0, 2, 1, 2], [1, 2, 1, 1, 0, 1],
                      [1, 0, 1, 1, 2, 1], [2, 1, 2, 0, 1, 0], [1, 0, 1, 1, 2, 1]])
#: A camera: what its red, green and blue see of white, and its matrix from XYZ by the illuminant's number.
#: Its colours are those of sRGB.
NEUTRAL = numpy.array([0.45, 1, 0.6])
CAMERA = {21: NEUTRAL[:, None] * numpy.array(
    [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])}
SHORT, LONG, RATIONAL, BYTE, SIGNED = 3, 4, 5, 1, 10


def mosaic(picture, cell=CELL):
    """The samples behind the filters of a cell, of a picture of three channels."""
    height, width = picture.shape[:2]
    edge = len(cell)
    colours = numpy.tile(cell, (height // edge + 1, width // edge + 1))[:height, :width]
    return numpy.take_along_axis(picture, colours[..., None], 2)[..., 0]


def rationals(values):
    found = [fractions.Fraction(value).limit_denominator(10 ** 6) for value in values]
    return b"".join(struct.pack("<ii", value.numerator, value.denominator) for value in found)


def write(path, samples, matrices, neutral, forward=None, cell=CELL):
    """Writes 16-bit samples. `matrices` and `forward` have a matrix for each EXIF light source."""
    height, width = samples.shape
    data = numpy.round(samples).astype("<u2").tobytes()
    entries = [
        (254, LONG, 1, struct.pack("<I", 0)), (256, LONG, 1, struct.pack("<I", width)),
        (257, LONG, 1, struct.pack("<I", height)), (258, SHORT, 1, struct.pack("<H", 16)),
        (259, SHORT, 1, struct.pack("<H", 1)), (262, SHORT, 1, struct.pack("<H", 32803)),
        (271, 2, 5, b"Made\0"), (272, 2, 7, b"Sensor\0"), (274, SHORT, 1, struct.pack("<H", 1)),
        (277, SHORT, 1, struct.pack("<H", 1)), (278, LONG, 1, struct.pack("<I", height)),
        (279, LONG, 1, struct.pack("<I", len(data))), (284, SHORT, 1, struct.pack("<H", 1)),
        (33421, SHORT, 2, struct.pack("<HH", *cell.shape)),
        (33422, BYTE, cell.size, bytes(cell.flatten().tolist())),
        (50706, BYTE, 4, bytes([1, 4, 0, 0])), (50708, 2, 12, b"Made Sensor\0"),
        (50714, SHORT, 1, struct.pack("<H", 0)), (50717, LONG, 1, struct.pack("<I", 65535)),
        (50728, RATIONAL, 3, rationals(neutral))]
    for number, (light, matrix) in enumerate(matrices.items()):
        entries.append((50721 + number, SIGNED, 9, rationals(matrix.flatten())))
        entries.append((50778 + number, SHORT, 1, struct.pack("<H", light)))
        if forward:
            entries.append((50964 + number, SIGNED, 9, rationals(forward[light].flatten())))
    entries.append((273, LONG, 1, None))
    entries.sort()
    start = 8 + 2 + 12 * len(entries) + 4
    values, table = b"", b""
    ends = start + sum(len(e[3]) + len(e[3]) % 2 for e in entries if e[3] and len(e[3]) > 4)
    for tag, kind, count, value in entries:
        value = struct.pack("<I", ends) if value is None else value
        if len(value) > 4:
            place = struct.pack("<I", start + len(values))
            values += value + b"\0" * (len(value) % 2)
        else:
            place = value.ljust(4, b"\0")
        table += struct.pack("<HHI", tag, kind, count) + place
    path.write_bytes(b"II*\0" + struct.pack("<IH", 8, len(entries)) + table + b"\0" * 4 + values
                     + data)
