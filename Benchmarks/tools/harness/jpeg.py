"""What the header of a JPEG file says: enough to check that programs made the same thing."""
import struct
from typing import NamedTuple


class Header(NamedTuple):
    width: int
    height: int
    subsampling: str

    @property
    def edges(self):
        """The edges, longest first: whichever way up the photo is."""
        return (max(self.width, self.height), min(self.width, self.height))

    @property
    def megapixels(self):
        return self.width * self.height / 1e6


def header(path):
    """The frame header (ITU-T T.81, B.2.2) of the file; ValueError if there is none."""
    with open(path, "rb") as file:
        if file.read(2) != b"\xff\xd8":
            raise ValueError(f"{path} is not a JPEG file")
        while marker := file.read(2):
            length, = struct.unpack(">H", file.read(2))
            if marker[1] in range(0xC0, 0xD0) and marker[1] not in (0xC4, 0xC8, 0xCC):
                _, height, width, components = struct.unpack(">BHHB", file.read(6))
                factors = [file.read(3)[1] for _ in range(components)]
                return Header(width, height, subsampling(factors))
            file.seek(length - 2, 1)
    raise ValueError(f"{path} has no frame header")


def subsampling(factors):
    if len(factors) == 1:
        return "grey"
    across, down = factors[0] >> 4, factors[0] & 15
    return {(1, 1): "4:4:4", (2, 1): "4:2:2", (2, 2): "4:2:0"}.get((across, down), "other")
