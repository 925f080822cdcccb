"""The transfer function of sRGB (IEC 61966-2-1)."""
import numpy


def decode(levels):
    """Linear light of encoded values, 0…1."""
    return numpy.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def encode(light):
    """Encoded values of linear light; negative light becomes a straight line."""
    return numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * numpy.maximum(light, 0) ** (1 / 2.4) - 0.055)
