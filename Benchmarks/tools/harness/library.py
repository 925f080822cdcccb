"""A library of many small photos, each with a rendition and a sidecar."""
import pathlib
import subprocess

RECIPE = pathlib.Path(__file__).resolve().parents[2] / "suites/recipes/web.json"
IN_FOLDER = 500


def make(library, photos, phbatch, work):
    """Fills the folder `library`; `work` is an empty folder for what is needed on the way."""
    original, rendition, sidecar = photo_with_sidecar(phbatch, work)
    for number in range(photos):
        folder = library / f"{number // IN_FOLDER:04}"
        if number % IN_FOLDER == 0:
            folder.mkdir(parents=True)
        stem = f"IMG_{number:07}"
        (folder / f"{stem}.jpg").write_bytes(original)
        (folder / f"{stem}.web.jpg").write_bytes(rendition)
        (folder / f"{stem}.jpg.phbatch.json").write_bytes(
            sidecar.replace(b'"a.', f'"{stem}.'.encode()))


def photo_with_sidecar(phbatch, work):
    """The bytes of a photo, of its rendition, and the text of its sidecar, made by phbatch itself."""
    library = work / "one"
    library.mkdir()
    subprocess.run(["vips", "black", library / "a.jpg", "16", "12", "--bands", "3"], check=True)
    subprocess.run([phbatch, "run", RECIPE, library, "--quiet"], check=True)
    return [(library / name).read_bytes() for name in ("a.jpg", "a.web.jpg", "a.jpg.phbatch.json")]
