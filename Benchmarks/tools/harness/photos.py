"""The photos that all programs get: copies, in a library of their own."""
import pathlib
import shutil
import subprocess

from harness import jpeg

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEMO = ROOT / "demo/mate-backgrounds/usr/share/backgrounds/mate/nature"


class Photo:
    def __init__(self, path):
        self.path = path
        self.header = jpeg.header(path)


def found(folder, megapixels, limit):
    """The JPEG photos below the folder, in order of their names, of at least so many megapixels."""
    photos = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg") or ".phbatch" in path.name:
            continue
        photo = Photo(path)
        if photo.header.megapixels >= megapixels and photo.header.subsampling != "grey":
            photos.append(photo)
    return photos[:limit]


def demo():
    """The folder of the demo's photographs, which come from a Debian package."""
    if not DEMO.exists():
        subprocess.run([str(ROOT / "scripts/photographs")], check=True)
    return DEMO


class Library:
    """Copies of the photos under short names, so that no program has trouble with one."""

    def __init__(self, photos, folder):
        folder.mkdir(parents=True)
        self.folder = folder
        self.photos = []
        for number, photo in enumerate(photos):
            target = folder / f"{number:03}.jpg"
            shutil.copyfile(photo.path, target)
            self.photos.append(Photo(target))
        self.names = [photo.path.name for photo in photos]

    def repeated(self, times, folder):
        """The same photos, each so many times."""
        return Library(self.photos * times, folder)

    @property
    def megapixels(self):
        return sum(photo.header.megapixels for photo in self.photos)

    @property
    def bytes(self):
        return sum(photo.path.stat().st_size for photo in self.photos)

    @property
    def halves(self):
        """Two lists of photos with about the same number of pixels, for two processes."""
        halves = ([], [])
        pixels = [0, 0]
        for photo in sorted(self.photos, key=lambda photo: -photo.header.megapixels):
            less = pixels.index(min(pixels))
            halves[less].append(photo.path)
            pixels[less] += photo.header.megapixels
        return [half for half in halves if half]
