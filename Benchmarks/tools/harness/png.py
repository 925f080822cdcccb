"""What the header of a PNG file says."""
import struct

from harness.jpeg import Header


def header(path):
    """The image header (ISO/IEC 15948, 11.2.2); ValueError if there is none."""
    with open(path, "rb") as file:
        if file.read(8) != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"{path} is not a PNG file")
        width, height, depth, colour = struct.unpack(">8xIIBB", file.read(18))
    return Header(width, height, f"{depth} bits, colour type {colour}")
