"""Benchmarks/results/results.svg: how long each program takes, in terms of phbatch."""
import statistics
from html import escape

WIDTH, NAMES, BARS = 760, 270, 380
ROW, GAP, TITLE, MARGIN = 22, 22, 30, 20

# No variables: not every program that shows SVG knows them.
STYLE = """
  text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .soft { fill: #59636e; }
  .page { fill: #ffffff; stroke: #d1d9e0; }
  .own { fill: #0969da; }
  .other { fill: #aeb9c4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .soft { fill: #9198a1; }
    .page { fill: #0d1117; stroke: #3d444d; }
    .own { fill: #4493f8; }
    .other { fill: #4b5563; }
  }
"""


def svg(record, order):
    """One panel of bars for each race, each with a scale of its own."""
    shapes, top = [], MARGIN
    for name in order:
        task = record.tasks.get(name, {})
        if "programs" in task and len(task["programs"]) > 1:
            panel, height = bars(task, top)
            shapes += panel
            top += height + GAP
    height = top - GAP + MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Time of each program in terms of phbatch</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        *shapes, "</svg>"]) + "\n"


def bars(task, top):
    reference = task["reference"]
    rows = sorted(
        (entry["ratio"], statistics.median(entry["wall"]), name)
        for name, entry in task["programs"].items() if entry["ratio"] is not None)
    longest = max((ratio for ratio, _, _ in rows), default=1)
    shapes = [f'<text class="title" x="{MARGIN}" y="{top + 14}">{escape(task["title"])}</text>']
    y = top + TITLE
    for ratio, seconds, name in rows:
        own = name == reference
        length = max(2, BARS * ratio / longest)
        figure = f"{seconds:.2f} s" if own else f"{ratio:.{1 if ratio >= 2 else 2}f} ×"
        shapes += [
            f'<text class="{"title" if own else "soft"}" x="{MARGIN + NAMES - 10}"'
            f' y="{y + 14}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{"own" if own else "other"}" x="{MARGIN + NAMES}" y="{y + 3}"'
            f' width="{length:.1f}" height="{ROW - 7}" rx="2"/>',
            f'<text x="{MARGIN + NAMES + length + 8:.1f}" y="{y + 14}">{figure}</text>']
        y += ROW
    return shapes, y - top
