"""Writes four .cube files and lookup.txt, what colour-science and FFmpeg make of colours with them.

Run: pip install colour-science==0.4.7 imageio-ffmpeg && python3 Tests/Oracles/lookup-tables.py
"""
import pathlib, subprocess, tempfile, warnings
warnings.filterwarnings("ignore")
import colour
import imageio_ffmpeg
import numpy as np
from colour.algebra import table_interpolation_tetrahedral as tetrahedral

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)


def cube(edge, low, high):
    """A wild but smooth table, red running fastest; it leaves 0...1."""
    steps = [np.linspace(low[c], high[c], edge) for c in range(3)]
    b, g, r = np.meshgrid(steps[2], steps[1], steps[0], indexing="ij")
    rgb = np.stack([r + 0.2 * np.sin(5 * g), g * g - 0.1 * b, 1.2 * b ** 3 + 0.3 * r * g], -1)
    return (rgb + rng.uniform(-0.03, 0.03, rgb.shape)).reshape(-1, 3)


def curves(size, low, high):
    x = np.linspace(low, high, size)
    return np.stack([np.clip(x, 0, None) ** 0.6, 0.5 + 0.4 * np.sin(3 * x), 1 - x], -1)


def write(name, head, *tables):
    with open(here / name, "w") as out:
        out.write(head)
        for table in tables:
            for row in table:
                out.write(" ".join(f"{v:.6f}" for v in row) + "\n")


write("plain.cube", 'TITLE "plain"\nLUT_3D_SIZE 7\n', cube(7, [0] * 3, [1] * 3))
write("domain.cube", "DOMAIN_MIN -0.1 0 0.1\nDOMAIN_MAX 1.3 1 0.9\nLUT_3D_SIZE 5\n",
      cube(5, [-0.1, 0, 0.1], [1.3, 1, 0.9]))
write("curves.cube", "LUT_1D_SIZE 33\n", curves(33, 0, 1))
write("shaped.cube",
      "LUT_1D_SIZE 17\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 5\nLUT_3D_INPUT_RANGE -0.1 1.1\n",
      curves(17, 0, 1), cube(5, [-0.1] * 3, [1.1] * 3))

colours = np.concatenate([
    np.array([[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float),
    rng.uniform(0, 1, (80, 3))]).round(6)


def science(name):
    lut = colour.io.read_LUT_ResolveCube(str(here / name)) if name == "shaped.cube" \
        else colour.io.read_LUT_IridasCube(str(here / name))
    result = colours
    for part in getattr(lut, "sequence", [lut]):
        inside = np.clip(result, part.domain[0], part.domain[-1]) \
            if part.domain.shape == (2, 3) else result
        result = part.apply(inside, interpolator=tetrahedral) \
            if isinstance(part, colour.LUT3D) else part.apply(inside)
    return result


def ffmpeg(name):
    """Planar floats through the filter lut3d, G B R as FFmpeg orders them.

    The row is padded: its vector code writes whole vectors, past the end of a plane.
    """
    with tempfile.TemporaryDirectory() as folder:
        padded = np.concatenate([colours, np.zeros((-len(colours) % 64, 3))])
        planes = padded[:, [1, 2, 0]].T.astype("<f4")
        raw = pathlib.Path(folder, "in.raw")
        raw.write_bytes(planes.tobytes())
        size = f"{len(padded)}x1"
        done = subprocess.run(
            [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-f", "rawvideo", "-pix_fmt",
             "gbrpf32le", "-s", size, "-i", raw, "-vf",
             f"lut3d=file={here / name}:interp=tetrahedral", "-f", "rawvideo", "-pix_fmt",
             "gbrpf32le", "-"], check=True, capture_output=True)
    return np.frombuffer(done.stdout, "<f4").reshape(3, -1).T[:len(colours), [2, 0, 1]]


with open(here / "lookup.txt", "w") as out:
    out.write("# program file, RGB in, RGB out; tetrahedral\n")
    for program, name in [("colour-science", "plain.cube"), ("colour-science", "domain.cube"),
                          ("colour-science", "curves.cube"), ("colour-science", "shaped.cube"),
                          ("ffmpeg", "plain.cube")]:
        found = science(name) if program == "colour-science" else ffmpeg(name)
        for rgb, result in zip(colours, found):
            values = " ".join(f"{v:.6f}" for v in [*rgb, *result])
            out.write(f"{program} {name} {values}\n")
