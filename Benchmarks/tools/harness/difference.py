"""The difference of colours: CIELAB and ΔE2000."""
import numpy

from harness.srgb import decode

XYZ_OF_SRGB = numpy.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                           [0.0193339, 0.1191920, 0.9503041]])


def lab(xyz):
    """CIELAB of XYZ that is divided by the XYZ of white."""
    f = numpy.where(xyz > (6 / 29) ** 3, numpy.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                        200 * (f[..., 1] - f[..., 2])], -1)


def lab_of_srgb(levels):
    """CIELAB of levels of sRGB, 0…255."""
    return lab(decode(levels / 255) @ XYZ_OF_SRGB.T / (XYZ_OF_SRGB @ numpy.ones(3)))


def difference(one, other):
    """ΔE2000 (CIE 142-2001; Sharma, Wu and Dalal, 2005) of two images in Lab."""
    l1, a1, b1 = numpy.moveaxis(one, -1, 0)
    l2, a2, b2 = numpy.moveaxis(other, -1, 0)
    mean = (numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2
    g = (1 - numpy.sqrt(mean ** 7 / (mean ** 7 + 25.0 ** 7))) / 2
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.degrees(numpy.arctan2(b1, a1)) % 360, numpy.degrees(numpy.arctan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    turn = numpy.where(c1 * c2 == 0, 0, turn)
    hue = 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2))
    middle = numpy.where(c1 * c2 == 0, h1 + h2, (h1 + turn / 2) % 360)
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * numpy.cos(numpy.radians(middle - 30)) + 0.24 * numpy.cos(numpy.radians(2 * middle))
         + 0.32 * numpy.cos(numpy.radians(3 * middle + 6))
         - 0.20 * numpy.cos(numpy.radians(4 * middle - 63)))
    sl = 1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rotation = (-2 * numpy.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7))
                * numpy.sin(numpy.radians(60 * numpy.exp(-(((middle - 275) / 25) ** 2)))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return numpy.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh)
