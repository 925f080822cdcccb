"""Where a measurement takes place."""
import pathlib
import sys
from dataclasses import dataclass

from harness.photos import Library


@dataclass
class Setting:
    library: Library
    #: A folder of our own for recipes and the like.
    work: pathlib.Path
    rounds: int
    #: Where the photos come from; None: the demo's.
    folder: pathlib.Path | None = None

    @property
    def out(self):
        return self.work / "out"

    @property
    def samples(self):
        """A folder for one result of each program."""
        return self.work / "samples"

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)
